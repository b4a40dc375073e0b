import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type AvailableExchange = CallAnswer<'GET /api/traders/{id}/available-exchanges'>['data'][number];

export const availableExchangesQuery = (traderId: string) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'available-exchanges'],
    refetchOnMount: true,
    staleTime: 30_000,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/available-exchanges', { params: { id: traderId }, signal })).data,
  });
