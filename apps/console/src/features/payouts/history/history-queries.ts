import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, open } from '../../../lib/api/api.ts';
import { saveResponse } from '../../../lib/api/download.ts';
import { retryDelay, retryUnless } from '../../../lib/api/read-retry.ts';
import { readDeepRows } from '../../../lib/url/read-rows.ts';
import { parseSearch } from '../../../lib/url/search-params.ts';
import {
  filtersFrom,
  type PayoutFilters,
  type PayoutNarrowing,
  readPayoutsSearch,
  wireNarrowing,
} from './history-search.ts';

export type Payout = CallAnswer<'GET /api/sweep-operations/admin/all'>['data'][number];
export type TypeSummary = CallAnswer<'GET /api/sweep-operations/summary'>['data'][number];
export type PayoutDetail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];

/** Live updates invalidate this key. */
const KEY = 'payout-history';
export const payoutHistoryKey = [KEY] as const;

/** Up to three retries, none after a refusal by the server (console spec, section 9). */
const patience = {
  retry: retryUnless((status) => [401, 403, 404].includes(status), 3),
  retryDelay,
  staleTime: 30_000,
  refetchOnMount: true,
} as const;

export const payoutsQuery = (filters: PayoutFilters) =>
  queryOptions({
    ...patience,
    queryKey: [KEY, 'list', filters],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      readDeepRows({
        list: JSON.stringify([KEY, wireNarrowing(filters), filters.sort.column]),
        first: (filters.page - 1) * filters.rows,
        rows: filters.rows,
        direction: filters.sort.direction,
        signal,
        read: (paging, signal) =>
          call('GET /api/sweep-operations/admin/all', {
            query: { ...wireNarrowing(filters), orderBy: filters.sort.column, ...paging },
            signal,
          }),
      }),
  });

/** How many payouts a saved view has. */
export const countPayoutsQuery = (view: string) => {
  const query = wireNarrowing(filtersFrom(readPayoutsSearch(parseSearch(view))));
  return queryOptions({
    staleTime: 30_000,
    queryKey: [KEY, 'count of a view', query],
    queryFn: async ({ signal }) =>
      (await call('GET /api/sweep-operations/admin/all', { query: { ...query, limit: '1' }, signal })).meta
        .total,
  });
};

/** Totals are stale after 5 minutes (console spec, section 9), or at once after a change event. */
const TOTALS_STALE_MS = 5 * 60_000;

export const summaryQuery = (narrowing: PayoutNarrowing) => {
  const query = wireNarrowing(narrowing);
  return queryOptions({
    ...patience,
    staleTime: TOTALS_STALE_MS,
    queryKey: [KEY, 'summary', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/sweep-operations/summary', { query, signal }),
  });
};

export const payoutQuery = (id: string) =>
  queryOptions({
    ...patience,
    queryKey: [KEY, 'detail', id],
    queryFn: async ({ signal }) =>
      (await call('GET /api/sweep-operations/{id}', { params: { id }, signal })).data,
  });

export const exportQuery = (filters: PayoutFilters) => ({
  ...wireNarrowing(filters),
  orderBy: filters.sort.column,
  orderDir: filters.sort.direction,
});

export async function exportPayouts(filters: PayoutFilters): Promise<string> {
  const response = await open('GET /api/sweep-operations/export', { query: exportQuery(filters) });
  return saveResponse(response, `payouts-${new Date().toISOString().slice(0, 10)}.csv`);
}
