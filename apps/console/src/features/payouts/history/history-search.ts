import { PAYOUT_STATUSES, type PayoutStatus, RECIPIENT_TYPES, type RecipientType } from '@copydesk/domain';
import { oneOf, text, uuid } from '../../../lib/search-params.ts';
import type { Direction, Sort } from '../../../lib/sorting.ts';

export const SORT_COLUMNS = ['created_at', 'amount', 'status'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type PayoutsSort = Sort<SortColumn>;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 20, 50] as const;
const DEFAULT_ROWS = 20;
const DEFAULT_SORT: PayoutsSort = { column: 'created_at', direction: 'desc' };
const LONGEST_SEARCH = 200;

/** The filters that the server applies to the history. */
export interface PayoutNarrowing {
  community?: string;
  type?: RecipientType;
  status?: PayoutStatus;
  /** The id of one distribution. */
  distribution?: string;
  /** Days, both included. */
  from?: string;
  to?: string;
  /** The beginning of an address or a hash. */
  search?: string;
}

/** The URL parameters of the screen. Absent ones have their defaults. */
export interface PayoutsSearch extends PayoutNarrowing {
  /** Search within the rows of this page. */
  find?: string;
  sort?: SortColumn;
  dir?: Direction;
  rows?: string;
  page?: string;
  /** The payout open beside the list. */
  payout?: string;
}

/** The filters for the server: the URL, completed with the defaults. */
export interface PayoutFilters extends PayoutNarrowing {
  sort: PayoutsSort;
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

/**
 * Reads the URL's parameters and ignores invalid ones. They become undefined instead of being left out, because the
 * router merges this result over the raw parameters.
 */
export function readPayoutsSearch(raw: Record<string, unknown>): PayoutsSearch {
  return {
    community: uuid(raw.community),
    type: oneOf(RECIPIENT_TYPES, raw.type),
    status: oneOf(PAYOUT_STATUSES, raw.status),
    distribution: uuid(raw.distribution),
    from: day(raw.from),
    to: day(raw.to),
    search: text(raw.search, LONGEST_SEARCH),
    find: text(raw.find, LONGEST_SEARCH),
    sort: oneOf(SORT_COLUMNS, raw.sort),
    dir: oneOf(['asc', 'desc'], raw.dir),
    rows: oneOf(['10', '20', '50'], raw.rows),
    page: matching(raw.page, /^[1-9]\d{0,5}$/),
    payout: uuid(raw.payout),
  };
}

export function filtersFrom(search: PayoutsSearch): PayoutFilters {
  const { sort, dir, rows, page, payout: _open, find: _find, ...narrowing } = search;
  return {
    ...narrowing,
    sort: { column: sort ?? DEFAULT_SORT.column, direction: dir ?? DEFAULT_SORT.direction },
    rows: Number(rows ?? DEFAULT_ROWS),
    page: Number(page ?? 1),
  };
}

/** A sort in the URL's format; the default is left out. A new order starts on the first page. */
export function sortParams({ column, direction }: PayoutsSort): PayoutsSearch {
  return {
    sort: column === DEFAULT_SORT.column ? undefined : column,
    dir: direction === DEFAULT_SORT.direction ? undefined : direction,
    page: undefined,
  };
}

/** A new page size starts on the first page. */
export function rowsParam(rows: number): PayoutsSearch {
  return { rows: rows === DEFAULT_ROWS ? undefined : String(rows), page: undefined };
}

/** No filters. */
export const NO_NARROWING: PayoutNarrowing = {
  community: undefined,
  type: undefined,
  status: undefined,
  distribution: undefined,
  from: undefined,
  to: undefined,
  search: undefined,
};
