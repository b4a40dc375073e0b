import { sumDecimals } from '@copydesk/domain/money';
import type { PooledAccount } from './pools-queries.ts';

/** The last reads of the exchange, of several pools. */
export interface LastRead {
  /** The sum of the reads; null unless every pool was read: a part would look like the whole. */
  balance: string | null;
  /** The time of the oldest read; null before the first. */
  oldestAt: string | null;
  missing: number;
}

export function lastReadOf(pools: readonly Pick<PooledAccount, 'bybit_read'>[]): LastRead {
  const reads = pools.flatMap(({ bybit_read }) => bybit_read ?? []);
  const missing = pools.length - reads.length;
  const [oldest] = reads.toSorted((a, b) => Date.parse(a.read_at) - Date.parse(b.read_at));
  return {
    balance: missing === 0 && reads.length > 0 ? sumDecimals(reads.map(({ balance }) => balance)) : null,
    oldestAt: oldest?.read_at ?? null,
    missing,
  };
}
