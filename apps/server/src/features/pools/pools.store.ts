import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** The settings of a pool as their columns have them. */
export interface PoolSettings {
  minimum_deposit_units: string;
  fee_basis: string;
  is_active: boolean;
}

export async function findSettingsForUpdate(
  tx: WriteTx,
  id: string,
): Promise<(PoolSettings & { community_id: string }) | null> {
  const { rows } = await sql<PoolSettings & { community_id: string }>`
    SELECT p.community_id, p.minimum_deposit_units::text AS minimum_deposit_units, p.fee_basis, p.is_active
    FROM pooled_account p WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

export async function updateSettings(tx: WriteTx, id: string, settings: PoolSettings): Promise<void> {
  await sql`UPDATE pooled_account SET minimum_deposit_units = ${settings.minimum_deposit_units},
    fee_basis = ${settings.fee_basis}, is_active = ${settings.is_active}, updated_at = now()
    WHERE id = ${id}`.execute(tx.sql);
}

/** Whether a community may get a pool. */
export async function findPoolless(
  tx: Tx,
  communityId: string,
): Promise<{ isArchived: boolean; hasPool: boolean } | null> {
  const { rows } = await sql<{ isArchived: boolean; hasPool: boolean }>`
    SELECT c.is_archived AS "isArchived",
      EXISTS (SELECT FROM pooled_account p WHERE p.community_id = c.id) AS "hasPool"
    FROM community c WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Inserts a pool with its first cycle, in which it trades. */
export async function insertPool(
  tx: WriteTx,
  pool: { id: string; communityId: string; minimumDepositUnits: string; feeBasis: string; uid: string },
): Promise<void> {
  await sql`
    INSERT INTO pooled_account (id, community_id, minimum_deposit_units, fee_basis, bybit_uid)
    VALUES (${pool.id}, ${pool.communityId}, ${pool.minimumDepositUnits}, ${pool.feeBasis}, ${pool.uid})`.execute(
    tx.sql,
  );
  await sql`INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES (${pool.id}, 1)`.execute(
    tx.sql,
  );
}
