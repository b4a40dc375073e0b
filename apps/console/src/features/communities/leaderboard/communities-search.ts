import { searchedText } from '@copydesk/domain/text';
import { defineList } from '../../../lib/list/define-list.ts';
import { search } from '../../../lib/list/filters.ts';
import type { LeaderboardRow } from './rank-communities.ts';

/** The default comes first: the order of the ranks. */
const SORT_COLUMNS = ['aum', 'traders', 'created', 'name'] as const;

export const communitiesList = defineList({
  filters: { search: search('search') },
  rest: {},
  columns: SORT_COLUMNS,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type CommunitiesSearch = ReturnType<typeof communitiesList.read>;
type CommunitiesFilters = ReturnType<typeof communitiesList.complete>;

const ORDERS: Record<(typeof SORT_COLUMNS)[number], (a: LeaderboardRow, b: LeaderboardRow) => number> = {
  aum: (a, b) => b.rank - a.rank,
  traders: (a, b) => a.trader_count - b.trader_count,
  created: (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at),
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
};

/** The communities that match, in the order asked for. All of them are in the browser. */
export function narrowCommunities(
  rows: readonly LeaderboardRow[],
  { search: text, sort: { column, direction } }: CommunitiesFilters,
): LeaderboardRow[] {
  const wanted = searchedText(text ?? '').toLowerCase();
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => sign * ORDERS[column](a, b) || a.rank - b.rank);
}
