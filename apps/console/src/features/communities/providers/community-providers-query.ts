import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { communitiesKeys } from '../communities-keys.ts';

export type CommunityProvider = CallAnswer<'GET /api/communities/{id}/providers'>['data'][number];

export const communityProvidersQuery = (id: string) =>
  queryOptions({
    queryKey: [...communitiesKeys.all, 'providers', id],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/providers', { params: { id }, signal })).data,
  });

/** Whether a provider can be removed from the community, and what uses it. */
export const canRemoveQuery = (id: string, providerId: string) =>
  queryOptions({
    queryKey: [...communitiesKeys.all, 'providers', id, 'can-remove', providerId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/communities/{id}/providers/{providerId}/can-remove', {
          params: { id, providerId },
          signal,
        })
      ).data,
  });
