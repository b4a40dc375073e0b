import {
  EXCHANGES,
  type Exchange,
  INVOICE_STATUSES,
  INVOICE_TABS,
  INVOICE_TYPES,
  type InvoiceTab,
} from '@copydesk/domain';
import { oneOf, text, uuid } from '../../lib/search-params.ts';
import type { Direction, Sort } from '../../lib/sorting.ts';

export const SORT_COLUMNS = ['created_at', 'updated_at', 'amount'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type InvoicesSort = Sort<SortColumn>;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 25, 50, 100] as const;
const DEFAULT_ROWS = 10;
const DEFAULT_SORT: InvoicesSort = { column: 'created_at', direction: 'desc' };
const LONGEST_SEARCH = 200;

type Status = (typeof INVOICE_STATUSES)[number];
type InvoiceType = (typeof INVOICE_TYPES)[number];

/** The filters of the list, whatever its tab, order and page. */
export interface InvoiceNarrowing {
  search?: string;
  /** The fields that the search covers; reference numbers when absent. */
  in?: 'other';
  exchange?: Exchange;
  community?: string;
  provider?: string;
  status?: Status;
  type?: InvoiceType;
  /** USDT, decimal strings. */
  min?: string;
  max?: string;
  /** Days, both included. */
  from?: string;
  to?: string;
  overdue?: 'true' | 'false';
}

/** The URL parameters of the Invoices screen. Absent ones have their defaults. */
export interface InvoicesSearch extends InvoiceNarrowing {
  tab?: InvoiceTab;
  sort?: SortColumn;
  dir?: Direction;
  rows?: string;
  page?: string;
  /** The invoice open beside the list. */
  invoice?: string;
}

/** The filters of the list: the URL, completed with the defaults. */
export interface InvoiceFilters extends InvoiceNarrowing {
  tab: InvoiceTab;
  sort: InvoicesSort;
  rows: number;
  page: number;
}

const matching = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** A valid calendar day, in the format of the URL and the API. */
function day(value: unknown): string | undefined {
  const written = matching(value, /^20\d\d-\d\d-\d\d$/);
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
}

/** An amount of USDT in the API's format. */
export function amount(value: unknown): string | undefined {
  return matching(value, /^\d{1,20}(\.\d{1,18})?$/);
}

/**
 * Reads the URL's parameters and ignores invalid ones. They become undefined instead of being left out, because the
 * router merges this result over the raw parameters.
 */
export function readInvoicesSearch(raw: Record<string, unknown>): InvoicesSearch {
  return {
    tab: oneOf(INVOICE_TABS, raw.tab),
    search: text(raw.search, LONGEST_SEARCH),
    in: oneOf(['other'] as const, raw.in),
    exchange: oneOf(EXCHANGES, raw.exchange),
    community: uuid(raw.community),
    provider: uuid(raw.provider),
    status: oneOf(INVOICE_STATUSES, raw.status),
    type: oneOf(INVOICE_TYPES, raw.type),
    min: amount(raw.min),
    max: amount(raw.max),
    from: day(raw.from),
    to: day(raw.to),
    overdue: oneOf(['true', 'false'], raw.overdue),
    sort: oneOf(SORT_COLUMNS, raw.sort),
    dir: oneOf(['asc', 'desc'], raw.dir),
    rows: oneOf(['10', '25', '50', '100'], raw.rows),
    page: matching(raw.page, /^[1-9]\d{0,5}$/),
    invoice: uuid(raw.invoice),
  };
}

export function filtersFrom(search: InvoicesSearch): InvoiceFilters {
  const { tab, sort, dir, rows, page, invoice: _open, ...narrowing } = search;
  return {
    ...narrowing,
    tab: tab ?? 'all',
    sort: { column: sort ?? DEFAULT_SORT.column, direction: dir ?? DEFAULT_SORT.direction },
    rows: Number(rows ?? DEFAULT_ROWS),
    page: Number(page ?? 1),
  };
}

/** A sort in the URL's format; the default is left out. A new order starts on the first page. */
export function sortParams({ column, direction }: InvoicesSort): InvoicesSearch {
  return {
    sort: column === DEFAULT_SORT.column ? undefined : column,
    dir: direction === DEFAULT_SORT.direction ? undefined : direction,
    page: undefined,
  };
}

export function rowsParam(rows: number): InvoicesSearch {
  return { rows: rows === DEFAULT_ROWS ? undefined : String(rows), page: undefined };
}

/** No filters. */
export const NO_NARROWING: InvoiceNarrowing = {
  search: undefined,
  in: undefined,
  exchange: undefined,
  community: undefined,
  provider: undefined,
  status: undefined,
  type: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
  overdue: undefined,
};
