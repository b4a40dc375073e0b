import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { memberSums } from './member-sums.views.ts';

/**
 * Virtual balances by community, in USDT: all of a pool for super admins, those of their own traders for staff.
 * @returns a query of `community_id` and `capital`
 */
export const capitalByCommunity = (tx: AnyTx): RawBuilder<unknown> =>
  sql`SELECT a.community_id, s.capital_units * 0.000000000000000001 AS capital
    FROM (${memberSums(tx)}) s JOIN pooled_account a ON a.id = s.pooled_account_id WHERE s.capital_units > 0`;

/** What a pool has that keeps its community from being archived. */
export interface PoolHoldings {
  hasMoney: boolean;
  /** The current cycle is anything but trading. */
  isCycleOpen: boolean;
}

/** The holdings of a community's pool, for a super admin; nothing when it has none. */
export async function findHoldings(tx: Tx, communityId: string): Promise<PoolHoldings> {
  const { rows } = await sql<PoolHoldings>`
    SELECT s.capital_units + s.pending_units > 0 OR EXISTS (
        SELECT FROM ledger_account l JOIN ledger_balance b ON b.account_id = l.id
        WHERE l.owner_id = a.id AND l.kind LIKE 'pool\\_%' AND b.posted > 0) AS "hasMoney",
      h.status <> 'stopped' AS "isCycleOpen"
    FROM pooled_account a JOIN pool_sum s ON s.pooled_account_id = a.id
    JOIN harvest_cycle h ON h.pooled_account_id = a.id AND h.ended_at IS NULL
    WHERE a.community_id = ${communityId} AND ${communityInScope(tx, 'a.community_id')} FOR SHARE OF a, h`.execute(
    tx.sql,
  );
  return rows[0] ?? { hasMoney: false, isCycleOpen: false };
}
