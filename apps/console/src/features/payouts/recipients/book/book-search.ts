import { OWNER_KINDS, RECIPIENT_STATES } from '@copydesk/domain/payouts';
import { capitalised, typeWords } from '../../../../lib/format/payout-texts.ts';
import { definePagedList } from '../../../../lib/list/define-paged-list.ts';
import { among, choice, search } from '../../../../lib/list/filters.ts';

const kinds = OWNER_KINDS.map((value) => ({ value, label: capitalised(typeWords(value)) }));

export const bookList = definePagedList({
  filters: {
    search: search('search'),
    kind: choice('Kind', 'kind', kinds),
  },
  // The tab, with a count for each.
  rest: { state: among(RECIPIENT_STATES) },
  columns: ['changed_at', 'name'],
  sizes: [25, 50, 100],
  rows: 50,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type RecipientsSearch = ReturnType<typeof bookList.read>;
export type BookFilters = ReturnType<typeof bookList.complete> & Pick<RecipientsSearch, 'state'>;

/** The URL, completed with the defaults. */
export const bookFrom = (search: RecipientsSearch): BookFilters => ({
  ...bookList.complete(search),
  state: search.state,
});
