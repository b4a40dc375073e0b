import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { tradersKeys } from '../../traders-queries.ts';

const FOLLOW_MS = 1_000;

export type AumRefresh = CallAnswer<'GET /api/traders/{id}/refresh-aum'>['data'];

/** The progress of the last refresh. A running one is followed, no matter which person started it. */
export const aumRefreshQuery = (traderId: string) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'aum-refresh'],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/refresh-aum', { params: { id: traderId }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? FOLLOW_MS : false),
  });
