import { type DetailSearch, historyList } from '../detail-search.ts';

/** The filters of the closed positions. */
export type HistoryFilters = ReturnType<typeof historyFilters>;

export const historyFilters = (search: DetailSearch) => ({
  ...historyList.complete(search),
  account: search.account,
});
