import type { CallAnswer, CallInput } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { shownChangeAt } from '../../lib/live/freshness.ts';
import { readDeepRows } from '../../lib/url/read-rows.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { invoicesKeys } from './invoices-keys.ts';
import {
  filtersFrom,
  type InvoiceFilters,
  type InvoiceNarrowing,
  readInvoicesSearch,
  wireNarrowing,
} from './invoices-search.ts';

/**
 * The server caches expensive counts for a moment after a change. The console requests such counts again after this
 * delay.
 */
const RECOUNT_MS = 1_000;
const STALE_MS = 30_000;

export type GroupsPage = CallAnswer<'GET /api/invoices/admin/groups'>;
export type InvoiceGroup = GroupsPage['data'][number];
export type Invoice = CallAnswer<'GET /api/invoices/admin/all'>['data'][number];

/** The filters in the form that every call of this screen takes. */
export function wireFilters(filters: InvoiceNarrowing) {
  return {
    ...wireNarrowing(filters),
    search_in: filters.search ? filters.in : undefined,
  } satisfies CallInput<'GET /api/invoices/export'>['query'];
}

/** A page of groups, with counts by tab. */
export const groupsQuery = (filters: InvoiceFilters) =>
  queryOptions({
    queryKey: invoicesKeys.groups(filters),
    staleTime: STALE_MS,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      readDeepRows({
        list: JSON.stringify(['groups', filters.tab, wireFilters(filters), filters.sort.column]),
        first: (filters.page - 1) * filters.rows,
        rows: filters.rows,
        direction: filters.sort.direction,
        signal,
        read: (paging, signal) =>
          call('GET /api/invoices/admin/groups', {
            query: { ...wireFilters(filters), tab: filters.tab, orderBy: filters.sort.column, ...paging },
            signal,
          }),
      }),
    refetchInterval: ({ state }) =>
      state.data && Date.parse(state.data.meta.totals_at) < shownChangeAt.get() ? RECOUNT_MS : false,
  });

/** Counts the groups of a tab that match the search in fields other than the reference number. */
export const otherMatchesQuery = (filters: InvoiceFilters) => {
  const others: InvoiceFilters = { ...filters, in: 'other', page: 1 };
  return queryOptions({
    queryKey: [...invoicesKeys.groups(others), 'count'],
    enabled: filters.search !== undefined && filters.in === undefined,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/invoices/admin/groups', {
          query: { ...wireFilters(others), tab: others.tab, limit: '1' },
          signal,
        })
      ).meta.total,
  });
};

/** How many groups a saved view has. */
export const countGroupsQuery = (query: string) => {
  const filters = filtersFrom(readInvoicesSearch(parseSearch(query)));
  return queryOptions({
    queryKey: [...invoicesKeys.groups(filters), 'count of a view'],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/invoices/admin/groups', {
          query: { ...wireFilters(filters), tab: filters.tab, limit: '1' },
          signal,
        })
      ).meta.total,
  });
};

type ExportQuery = CallInput<'GET /api/invoices/export'>['query'];

/**
 * The invoices behind the groups of a tab. A group is paid or unpaid as a whole; an export filters invoice by invoice.
 */
export function exportQuery(filters: InvoiceFilters): ExportQuery {
  const { tab } = filters;
  return {
    ...groupedQuery(filters),
    is_paid: tab === 'paid' ? 'true' : tab === 'unpaid' ? 'false' : undefined,
    // A group is unpaid because of its pending invoices; its cancelled invoices are not owed.
    status: filters.status ?? (tab === 'unpaid' ? 'pending' : undefined),
  };
}

/** All invoices of the groups of a tab, as the list unfolds them. */
export function groupedQuery(filters: InvoiceFilters): ExportQuery {
  const { tab, sort } = filters;
  return {
    ...wireFilters(filters),
    is_archived: tab === 'archived' ? 'true' : 'false',
    orderBy: sort.column,
    orderDir: sort.direction,
  };
}

export async function exportInvoices(filters: InvoiceFilters): Promise<string> {
  const response = await open('GET /api/invoices/export', { query: exportQuery(filters) });
  return saveResponse(response, `invoices-${filters.tab}-${new Date().toISOString().slice(0, 10)}.csv`);
}
