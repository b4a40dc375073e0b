import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

/** A pool that a trader may join: locked so that it does not become inactive meanwhile. */
export async function holdPool(
  tx: WriteTx,
  id: string,
): Promise<{ communityId: string; isActive: boolean } | null> {
  const { rows } = await sql<{ communityId: string; isActive: boolean }>`
    SELECT p.community_id AS "communityId", p.is_active AS "isActive" FROM pooled_account p
    WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')} FOR KEY SHARE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function findCommunityOf(tx: WriteTx, traderId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.community_id AS id FROM trader t
    WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')} FOR KEY SHARE`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/** Inserts a member; `isNew` is false when the trader already was one. */
export async function insertMember(
  tx: WriteTx,
  poolId: string,
  traderId: string,
): Promise<{ id: string; isNew: boolean }> {
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    WITH added AS (
      INSERT INTO pool_member (pooled_account_id, trader_id) VALUES (${poolId}, ${traderId})
      ON CONFLICT (pooled_account_id, trader_id) DO NOTHING RETURNING id)
    SELECT id, true AS "isNew" FROM added
    UNION ALL SELECT m.id, false FROM pool_member m
      WHERE m.pooled_account_id = ${poolId} AND m.trader_id = ${traderId}`.execute(tx.sql);
  const [member] = rows;
  // A member that another transaction inserted meanwhile is not in this statement's snapshot.
  return member ?? insertMember(tx, poolId, traderId);
}
