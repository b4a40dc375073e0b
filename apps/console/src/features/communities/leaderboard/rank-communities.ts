import { searchedText } from '@copydesk/domain/text';
import type { RankedCommunity } from '../communities-queries.ts';
import type { CommunitiesFilters } from './communities-search.ts';

export interface LeaderboardRow extends Omit<RankedCommunity, 'total_aum' | 'trader_count'> {
  rank: number;
  total_aum: string;
  trader_count: number;
  /** AUM in per cent of the largest, for a bar. */
  width: number;
}

/** The communities that are not archived, in the server's order, with their ranks. */
export function rankCommunities(communities: readonly RankedCommunity[]): LeaderboardRow[] {
  const active = communities.filter((community) => !community.is_archived);
  const largest = Number(active[0]?.total_aum ?? 0);
  return active.map(({ total_aum = '0', trader_count = 0, ...community }, index) => ({
    ...community,
    rank: index + 1,
    total_aum,
    trader_count,
    width: largest > 0 ? (Number(total_aum) / largest) * 100 : 0,
  }));
}

const ORDERS: Record<CommunitiesFilters['sort']['column'], (a: LeaderboardRow, b: LeaderboardRow) => number> =
  {
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
