import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import type { Days } from '../../../../lib/range-days.ts';
import { tradersKeys } from '../../traders-queries.ts';

/** Equity at the end of each day. */
export const equityQuery = (traderId: string, days: Days) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'equity', days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/equity', { params: { id: traderId }, query: { ...days }, signal }))
        .data,
  });
