import type { CallInput } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, open } from '../../../../lib/api/api.ts';
import { saveResponse } from '../../../../lib/api/download.ts';
import { tradersKeys } from '../../traders-queries.ts';
import { historyList } from '../detail-search.ts';
import type { HistoryFilters } from './filters-from-search.ts';

type WireFilters = CallInput<'GET /api/traders/{id}/closed-positions/export'>['query'];

export function wireFilters({ sort, account, rows: _, page: __, ...filters }: HistoryFilters): WireFilters {
  return {
    ...historyList.wire(filters),
    acc_uid: account,
    orderBy: sort.column,
    orderDir: sort.direction,
  };
}

/** A page of the closed positions, with count and net profit of all matches. */
export const closedPositionsQuery = (traderId: string, filters: HistoryFilters) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'closed-positions', filters],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/traders/{id}/closed-positions', {
        params: { id: traderId },
        query: {
          ...wireFilters(filters),
          limit: String(filters.rows),
          offset: String((filters.page - 1) * filters.rows),
        },
        signal,
      }),
  });

export async function exportHistory(traderId: string, filters: HistoryFilters): Promise<string> {
  const response = await open('GET /api/traders/{id}/closed-positions/export', {
    params: { id: traderId },
    query: wireFilters(filters),
  });
  return saveResponse(response, 'closed-positions.csv');
}
