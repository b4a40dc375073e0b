import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { communitiesKeys } from '../communities-keys.ts';

export type VipLevel = CallAnswer<'GET /api/communities/{id}/vip/stats'>['data'][number];
export type VipTrader = CallAnswer<'GET /api/communities/{id}/vip/traders'>['data'][number];

/** A community's traders and AUM by level, from the lowest. */
export const vipLevelsQuery = (id: string) =>
  queryOptions({
    queryKey: communitiesKeys.vip(id),
    staleTime: 30_000,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/vip/stats', { params: { id }, signal })).data,
  });

export const VIP_PAGE = 10;

/** A page of the traders of one level, by AUM. @param page counted from 1 */
export const vipTradersQuery = (id: string, level: number, page: number) =>
  queryOptions({
    queryKey: [...communitiesKeys.vip(id), level, page],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/communities/{id}/vip/traders', {
        params: { id },
        query: { level: String(level), limit: String(VIP_PAGE), offset: String((page - 1) * VIP_PAGE) },
        signal,
      }),
  });
