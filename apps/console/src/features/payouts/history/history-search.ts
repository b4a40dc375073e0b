import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain';
import { among, createPagedSearch, day, type ValuesOf } from '../../../lib/list-search.ts';
import { text, uuid } from '../../../lib/search-params.ts';

export const SORT_COLUMNS = ['created_at', 'amount', 'status'] as const;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 20, 50] as const;
const LONGEST_SEARCH = 200;

const FILTERS = {
  community: uuid,
  type: among(RECIPIENT_TYPES),
  status: among(PAYOUT_STATUSES),
  /** The id of one distribution. */
  distribution: uuid,
  /** Days, both included. */
  from: day,
  to: day,
  /** The beginning of an address or a hash. */
  search: (value: unknown) => text(value, LONGEST_SEARCH),
};
const REST = {
  /** The text that the rows of this page are searched for. */
  find: (value: unknown) => text(value, LONGEST_SEARCH),
  /** The payout that is open beside the list. */
  payout: uuid,
};

const list = createPagedSearch({
  filters: FILTERS,
  rest: REST,
  columns: SORT_COLUMNS,
  sizes: PAGE_SIZES,
  rows: 20,
});

/** The filters that the server applies. */
export type PayoutNarrowing = ValuesOf<typeof FILTERS>;
/** The parameters of the screen's URL. A missing one has its default. */
export type PayoutsSearch = ReturnType<typeof list.read>;
/** The query for the server: the URL, completed with the defaults. */
export type PayoutFilters = ReturnType<typeof list.complete>;

export const {
  read: readPayoutsSearch,
  complete: filtersFrom,
  sortParams,
  rowsParam,
  noFilters: NO_NARROWING,
} = list;
