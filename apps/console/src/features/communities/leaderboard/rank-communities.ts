import type { RankedCommunity } from '../communities-queries.ts';

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
