import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
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
