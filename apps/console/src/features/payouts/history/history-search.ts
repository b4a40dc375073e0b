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

/** What narrows the history on the server. */
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

/** What the URL of the screen carries. Anything absent has its default. */
export interface PayoutsSearch extends PayoutNarrowing {
  /** What the rows of this page are searched for. */
  find?: string;
  sort?: SortColumn;
  dir?: Direction;
  rows?: string;
  page?: string;
  /** The payout that is open beside the list. */
  payout?: string;
}

/** What is asked of the server: the URL, completed with the defaults. */
export interface PayoutFilters extends PayoutNarrowing {
  sort: PayoutsSort;
  rows: number;
  page: number;
}

const matching = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** A day that exists, as the URL and the API write it. */
function day(value: unknown): string | undefined {
  const written = matching(value, /^20\d\d-\d\d-\d\d$/);
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
}

/**
 * Reads the URL's parameters; what makes no sense is as if it were not there. It is answered as undefined, not left
 * out: the router lays this answer over the raw parameters.
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

/** A sort as the URL writes it; the default is left out. Another order begins on its first page. */
export function sortParams({ column, direction }: PayoutsSort): PayoutsSearch {
  return {
    sort: column === DEFAULT_SORT.column ? undefined : column,
    dir: direction === DEFAULT_SORT.direction ? undefined : direction,
    page: undefined,
  };
}

/** Another page size begins on the first page. */
export function rowsParam(rows: number): PayoutsSearch {
  return { rows: rows === DEFAULT_ROWS ? undefined : String(rows), page: undefined };
}

/** The narrowing of nothing. */
export const NO_NARROWING: PayoutNarrowing = {
  community: undefined,
  type: undefined,
  status: undefined,
  distribution: undefined,
  from: undefined,
  to: undefined,
  search: undefined,
};
