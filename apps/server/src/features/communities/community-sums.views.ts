import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { capitalByCommunity } from '../pools/pool-capital.views.ts';

export interface CommunitySums {
  trader_count: number;
  /** USD, decimal string: equity of the traders' accounts, and virtual balances in the pool. */
  total_aum: string;
}

/**
 * Traders and AUM by community, largest first; a community without traders has no entry. For super admins an index
 * alone suffices; for staff they are sums over their own providers and include no others.
 */
export async function sumCommunities(tx: Tx): Promise<Map<string, CommunitySums>> {
  const summed =
    tx.scope.kind === 'all'
      ? sql`SELECT t.community_id, count(*)::int AS trader_count, coalesce(sum(t.aum), 0) AS aum
          FROM trader t GROUP BY t.community_id`
      : sql`SELECT s.community_id, sum(s.traders)::int AS trader_count, coalesce(sum(s.aum), 0) AS aum
          FROM (${seenAlone(tx)} UNION ALL ${seenTogether(tx)}) s GROUP BY s.community_id`;
  const { rows } = await sql<CommunitySums & { community_id: string }>`
    SELECT community_id, coalesce(s.trader_count, 0) AS trader_count,
      trim_scale(coalesce(s.aum, 0) + coalesce(c.capital, 0))::text AS total_aum
    FROM (${summed}) s FULL JOIN (${capitalByCommunity(tx)}) c USING (community_id)
    ORDER BY coalesce(s.aum, 0) + coalesce(c.capital, 0) DESC, community_id`.execute(tx.sql);
  return new Map(rows.map(({ community_id, ...sums }) => [community_id, sums]));
}

/** Traders of a single provider, which are most: each row counts. */
function seenAlone(tx: Tx): RawBuilder<unknown> {
  return sql`SELECT p.community_id, count(*) AS traders, sum(p.aum) AS aum FROM trader_provider p
    WHERE NOT p.is_shared AND ${providerInScope(tx, 'p.provider_id')} GROUP BY p.community_id`;
}

/** Traders of several providers may have several rows in scope and count once. */
function seenTogether(tx: Tx): RawBuilder<unknown> {
  return sql`SELECT p.community_id, count(DISTINCT p.trader_id) AS traders, sum(p.aum) AS aum
    FROM trader_provider p
    WHERE p.is_shared AND ${providerInScope(tx, 'p.provider_id')} GROUP BY p.community_id`;
}
