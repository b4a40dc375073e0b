import type { CallAnswer, CallInput } from '@copydesk/contract';
import type { Trader } from '@copydesk/contract/traders';
import { queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { shownChangeAt } from '../../lib/live/freshness.ts';
import { readDeepRows } from '../../lib/url/read-rows.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { filtersFrom, readTradersSearch, type TraderListFilters, wireNarrowing } from './traders-search.ts';

/** Rows per request. */
export const WINDOW_ROWS = 50;
/**
 * The server caches expensive counts for a moment after a change. The console requests such counts again after this
 * delay.
 */
const RECOUNT_MS = 1_000;
/** Windows out of view are forgotten soon: otherwise a hundred thousand rows would pile up. */
const WINDOW_TTL_MS = 60_000;

export type TradersPage = CallAnswer<'GET /api/traders'>;
export type { Trader };

export const tradersKeys = {
  all: ['traders'],
  lists: ['traders', 'list'],
  list: (filters: TraderListFilters) => ['traders', 'list', filters],
  window: (filters: TraderListFilters, offset: number) => ['traders', 'list', filters, offset],
  details: ['traders', 'detail'],
  /** The database's data of a trader: a change event invalidates it. */
  detail: (id: string) => ['traders', 'detail', id],
  /** Live data from the exchanges: refreshed at intervals and by hand, never because of an event. */
  live: (id: string) => ['traders', 'live', id],
} as const;

export function wireFilters(filters: TraderListFilters): CallInput<'GET /api/traders/export'>['query'] {
  return {
    tab: filters.tab === 'all' ? undefined : filters.tab,
    ...wireNarrowing(filters),
    search_in: filters.search ? filters.in : undefined,
    orderBy: filters.sort.column,
    orderDir: filters.sort.direction,
  };
}

export const tradersWindowQuery = (filters: TraderListFilters, offset: number) =>
  queryOptions({
    queryKey: tradersKeys.window(filters, offset),
    gcTime: WINDOW_TTL_MS,
    queryFn: ({ signal }) =>
      readDeepRows({
        list: JSON.stringify(['traders', { ...wireFilters(filters), orderDir: undefined }]),
        first: offset,
        rows: WINDOW_ROWS,
        direction: filters.sort.direction,
        signal,
        read: (paging, signal) =>
          call('GET /api/traders', {
            query: { ...wireFilters(filters), include_aum: 'true', include_exchanges: 'true', ...paging },
            signal,
          }),
      }),
    refetchInterval: ({ state }) =>
      state.data && Date.parse(state.data.meta.totals_at) < shownChangeAt.get() ? RECOUNT_MS : false,
  });

/** Counts the traders that match the search in fields other than the reference number, in all tabs. */
export const otherMatchesQuery = (filters: TraderListFilters) => {
  const others: TraderListFilters = { ...filters, tab: 'all', in: 'other' };
  return queryOptions({
    queryKey: [...tradersKeys.list(others), 'count'],
    enabled: filters.search !== undefined && filters.in === undefined,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders', { query: { ...wireFilters(others), limit: '1' }, signal })).meta.total,
  });
};

/** How many traders a saved view has. */
export const countTradersQuery = (query: string) => {
  const filters = filtersFrom(readTradersSearch(parseSearch(query)), null);
  return queryOptions({
    queryKey: [...tradersKeys.list(filters), 'count of a view'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders', { query: { ...wireFilters(filters), limit: '1' }, signal })).meta.total,
  });
};

export async function exportTraders(filters: TraderListFilters): Promise<string> {
  const response = await open('GET /api/traders/export', { query: wireFilters(filters) });
  const { saveResponse } = await import('../../lib/api/download.ts');
  return saveResponse(response, `traders-${filters.tab}-${new Date().toISOString().slice(0, 10)}.csv`);
}
