import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { shortId } from '@copydesk/domain/money';
import { capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { definePagedList } from '../../../lib/list/define-paged-list.ts';
import { choice, line, linked, recordOf, since, until, type ValuesOf } from '../../../lib/list/filters.ts';
import { uuid } from '../../../lib/url/search-params.ts';

export const SORT_COLUMNS = ['created_at', 'amount', 'status'] as const;

/** Console spec, section 9. */
export const PAGE_SIZES = [10, 20, 50] as const;

const statuses = PAYOUT_STATUSES.map((value) => ({ value, label: capitalised(value) }));
const types = RECIPIENT_TYPES.map((value) => ({ value, label: capitalised(typeWords(value)) }));

export const payoutsList = definePagedList({
  filters: {
    from: since('Date', 'created_at_from'),
    to: until('Date', 'created_at_to'),
    status: choice('Status', 'status', statuses),
    type: choice('Recipient Type', 'recipient_type', types),
    community: recordOf('Community', 'community_id', 'communities'),
    distribution: linked('Distribution', 'distribution_id', { read: uuid, write: shortId }),
    /** The beginning of an address or a hash. */
    search: linked('Search', 'search'),
  },
  rest: {
    /** The text that the rows of this page are searched for. */
    find: line,
    /** The payout that is open beside the list. */
    payout: uuid,
  },
  columns: SORT_COLUMNS,
  sizes: PAGE_SIZES,
  rows: 20,
});

/** The filters that the server applies. */
export type PayoutNarrowing = ValuesOf<typeof payoutsList.filters>;
/** The parameters of the screen's URL. A missing one has its default. */
export type PayoutsSearch = ReturnType<typeof payoutsList.read>;
/** The query for the server: the URL, completed with the defaults. */
export type PayoutFilters = ReturnType<typeof payoutsList.complete>;

export const {
  read: readPayoutsSearch,
  complete: filtersFrom,
  sortParams,
  rowsParam,
  wire: wireNarrowing,
} = payoutsList;
