import { EXCHANGES } from '@copydesk/domain/catalogue';
import { INVOICE_TABS, type InvoiceTab } from '@copydesk/domain/invoices';
import { shortId } from '@copydesk/domain/money';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { definePagedList } from '../../lib/list/define-paged-list.ts';
import {
  among,
  choice,
  filter,
  least,
  linked,
  most,
  recordOf,
  search,
  since,
  toggle,
  until,
  type ValuesOf,
} from '../../lib/list/filters.ts';
import { uuid } from '../../lib/url/search-params.ts';
import type { Sort } from '../../lib/url/sorting.ts';

export const SORT_COLUMNS = ['created_at', 'updated_at', 'amount'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type InvoicesSort = Sort<SortColumn>;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 25, 50, 100] as const;

const exchanges = EXCHANGES.map((value) => ({ value, label: exchangeName(value) }));

export const invoicesList = definePagedList({
  filters: {
    search: search('search'),
    /** Where the search looks; reference numbers when absent. */
    in: filter(among(['other']), 'search_in'),
    status: choice('Status', 'status', [
      { value: 'pending', label: 'Pending' },
      { value: 'paid', label: 'Paid' },
      { value: 'cancelled', label: 'Cancelled' },
    ]),
    overdue: toggle('Overdue', 'is_overdue'),
    community: recordOf('Community', 'community_id', 'communities'),
    provider: recordOf('Provider', 'provider_id', 'providers'),
    exchange: choice('Exchange', 'exchange', exchanges),
    min: least('Amount', 'min_amount'),
    max: most('Amount', 'max_amount'),
    from: since('Created', 'created_at_from'),
    to: until('Created', 'created_at_to'),
    type: choice('Type', 'invoice_type', [
      { value: 'regular', label: 'Regular' },
      { value: 'exchange_bot', label: 'Exchange bot' },
    ]),
    trader: linked('Trader', 'trader_id', { read: uuid, write: shortId }),
  },
  rest: {
    tab: among(INVOICE_TABS),
    /** The invoice that is open beside the list. */
    invoice: uuid,
  },
  kept: ['tab'],
  columns: SORT_COLUMNS,
  sizes: PAGE_SIZES,
  rows: 10,
});

/** The filters of the list, without its tab, order and page. */
export type InvoiceNarrowing = ValuesOf<typeof invoicesList.filters>;
/** The parameters of the Invoices screen's URL. A missing one has its default. */
export type InvoicesSearch = ReturnType<typeof invoicesList.read>;
/** What the list shows: the URL, completed with the defaults. */
export type InvoiceFilters = ReturnType<typeof filtersFrom>;

export const { read: readInvoicesSearch, sortParams, rowsParam, wire: wireNarrowing } = invoicesList;

export const filtersFrom = (
  search: InvoicesSearch,
): ReturnType<typeof invoicesList.complete> & { tab: InvoiceTab } => ({
  ...invoicesList.complete(search),
  tab: search.tab ?? 'all',
});
