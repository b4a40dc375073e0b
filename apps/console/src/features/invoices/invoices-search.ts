import { EXCHANGES } from '@copydesk/domain/catalogue';
import { INVOICE_STATUSES, INVOICE_TABS, INVOICE_TYPES, type InvoiceTab } from '@copydesk/domain/invoices';
import { among, amount, createPagedSearch, day, filter, type ValuesOf } from '../../lib/url/list-search.ts';
import { text, uuid } from '../../lib/url/search-params.ts';
import type { Sort } from '../../lib/url/sorting.ts';

export const SORT_COLUMNS = ['created_at', 'updated_at', 'amount'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type InvoicesSort = Sort<SortColumn>;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 25, 50, 100] as const;
const LONGEST_SEARCH = 200;

const FILTERS = {
  search: filter((value: unknown) => text(value, LONGEST_SEARCH), 'search'),
  /** Where the search looks; reference numbers when absent. */
  in: filter(among(['other']), 'search_in'),
  exchange: filter(among(EXCHANGES), 'exchange'),
  community: filter(uuid, 'community_id'),
  provider: filter(uuid, 'provider_id'),
  status: filter(among(INVOICE_STATUSES), 'status'),
  type: filter(among(INVOICE_TYPES), 'invoice_type'),
  /** USDT, decimal strings. */
  min: filter(amount, 'min_amount'),
  max: filter(amount, 'max_amount'),
  /** Days, both included. */
  from: filter(day, 'created_at_from'),
  to: filter(day, 'created_at_to'),
  overdue: filter(among(['true', 'false']), 'is_overdue'),
};
const REST = {
  tab: among(INVOICE_TABS),
  /** The invoice that is open beside the list. */
  invoice: uuid,
};

const list = createPagedSearch({
  filters: FILTERS,
  rest: REST,
  columns: SORT_COLUMNS,
  sizes: PAGE_SIZES,
  rows: 10,
});

/** The filters of the list, without its tab, order and page. */
export type InvoiceNarrowing = ValuesOf<typeof FILTERS>;
/** The parameters of the Invoices screen's URL. A missing one has its default. */
export type InvoicesSearch = ReturnType<typeof list.read>;
/** What the list shows: the URL, completed with the defaults. */
export type InvoiceFilters = ReturnType<typeof filtersFrom>;

export const {
  read: readInvoicesSearch,
  sortParams,
  rowsParam,
  wire: wireNarrowing,
  noFilters: NO_NARROWING,
} = list;

export const filtersFrom = (
  search: InvoicesSearch,
): ReturnType<typeof list.complete> & { tab: InvoiceTab } => ({
  ...list.complete(search),
  tab: search.tab ?? 'all',
});
