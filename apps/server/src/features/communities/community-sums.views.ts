import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

export interface CommunitySums {
  trader_count: number;
  /** USD, decimal string */
  total_aum: string;
}

/**
 * Traders and AUM by community, the largest first; a community without traders has no entry. A super admin's come
 * from an index alone; those of staff are sums over their own providers, so nothing of others is in them.
 */
export async function sumCommunities(tx: Tx): Promise<Map<string, CommunitySums>> {
  const summed =
    tx.scope.kind === 'all'
      ? sql`SELECT t.community_id, count(*)::int AS trader_count, coalesce(sum(t.aum), 0) AS aum
          FROM trader t GROUP BY t.community_id`
      : sql`SELECT t.community_id, count(DISTINCT s.trader_id)::int AS trader_count, coalesce(sum(s.aum), 0) AS aum
          FROM trader_provider s JOIN trader t ON t.id = s.trader_id
          WHERE ${providerInScope(tx, 's.provider_id')} GROUP BY t.community_id`;
  const { rows } = await sql<CommunitySums & { community_id: string }>`
    SELECT community_id, trader_count, trim_scale(aum)::text AS total_aum
    FROM (${summed}) s ORDER BY aum DESC, community_id`.execute(tx.sql);
  return new Map(rows.map(({ community_id, ...sums }) => [community_id, sums]));
}
