import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../lib/api/read-retry.ts';
import { requireId } from '../../lib/api/require-id.ts';
import { communitiesKeys } from './communities-keys.ts';

export type RankedCommunity = CallAnswer<'GET /api/communities'>['data'][number];
export type AdminCommunity = CallAnswer<'GET /api/super-admin/communities'>['data'][number];
export type Community = CallAnswer<'GET /api/communities/{id}'>['data'];
/** A community as super admins get it: with its settings. */
export type CommunityWithSettings = Required<Community>;

/** Communities in scope with their figures, by AUM. */
export const leaderboardQuery = queryOptions({
  queryKey: [...communitiesKeys.figures, 'list'],
  refetchOnMount: true,
  queryFn: ({ signal }) => call('GET /api/communities', { query: { include_aum: 'true' }, signal }),
});

/** All communities with settings and wallets: active ones first, then by AUM. Super admins only. */
export const adminCommunitiesQuery = queryOptions({
  queryKey: communitiesKeys.admin,
  refetchOnMount: true,
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/communities', { query: { include_archived: 'true' }, signal }),
});

/** A community with its settings. Super admins only: other callers get no settings. */
export const communityQuery = (id: string) =>
  queryOptions({
    queryKey: communitiesKeys.record(id),
    staleTime: 30_000,
    refetchOnMount: true,
    retry: retryUnless((status) => status >= 400 && status < 500, 3),
    retryDelay,
    queryFn: async ({ signal }) => {
      requireId(id);
      const query = { include_config: 'true' } as const;
      const { data } = await call('GET /api/communities/{id}', { params: { id }, query, signal });
      if (!hasSettings(data)) throw new Error('Super admin access required');
      return data;
    },
  });

function hasSettings(community: Community): community is CommunityWithSettings {
  return community.wallets !== undefined;
}
