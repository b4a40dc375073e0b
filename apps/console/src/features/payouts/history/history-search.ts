import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { among, createPagedSearch, day, filter, type ValuesOf } from '../../../lib/url/list-search.ts';
import { text, uuid } from '../../../lib/url/search-params.ts';

export const SORT_COLUMNS = ['created_at', 'amount', 'status'] as const;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 20, 50] as const;
const LONGEST_SEARCH = 200;

const FILTERS = {
  community: filter(uuid, 'community_id'),
  type: filter(among(RECIPIENT_TYPES), 'recipient_type'),
  status: filter(among(PAYOUT_STATUSES), 'status'),
  /** The id of one distribution. */
  distribution: filter(uuid, 'distribution_id'),
  /** Days, both included. */
  from: filter(day, 'created_at_from'),
  to: filter(day, 'created_at_to'),
  /** The beginning of an address or a hash. */
  search: filter((value: unknown) => text(value, LONGEST_SEARCH), 'search'),
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
  wire: wireNarrowing,
  noFilters: NO_NARROWING,
} = list;
