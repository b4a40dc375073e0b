import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import type { Days } from '../../../../lib/range-days.ts';
import { tradersKeys } from '../../traders-queries.ts';

/** Realised PnL by day. */
export const pnlDaysQuery = (traderId: string, days: Days) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'pnl-days', days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/pnl-days', { params: { id: traderId }, query: { ...days }, signal }))
        .data,
  });
