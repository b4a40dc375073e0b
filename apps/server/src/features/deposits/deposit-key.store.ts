import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

/** The fingerprint of the account key that a worker with the seed has confirmed; null before the first one. */
export async function findDepositKey(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ fingerprint: string }>`SELECT fingerprint FROM deposit_key`.execute(tx.sql);
  return rows[0]?.fingerprint ?? null;
}

/** Stores the fingerprint, unless one is stored already. */
export async function insertDepositKey(tx: WriteTx, fingerprint: string): Promise<void> {
  await sql`INSERT INTO deposit_key (fingerprint) VALUES (${fingerprint}) ON CONFLICT DO NOTHING`.execute(
    tx.sql,
  );
}
