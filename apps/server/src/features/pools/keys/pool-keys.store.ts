import { sql } from 'kysely';
import type { SealedSecret } from '../../../platform/crypto/sealed-secret.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { PoolKeyPlace, PoolKeyRow, StoredPoolKey } from './pool-key-box.ts';

// Row-level security shows keys to whoever sees everything: super admins and the worker.

export async function insertPoolKey(tx: WriteTx, rows: readonly PoolKeyRow[]): Promise<void> {
  for (const row of rows)
    await sql`
      INSERT INTO pool_key (pooled_account_id, field, version, ciphertext, wrapped_key, master_key_id, fingerprint)
      VALUES (${row.poolId}, ${row.field}, ${row.version}, ${row.ciphertext}, ${row.wrappedKey}, ${row.masterKeyId},
        ${row.fingerprint})`.execute(tx.sql);
}

/** The new parts take the place of the old ones, which are gone. */
export async function replacePoolKey(tx: WriteTx, rows: readonly PoolKeyRow[]): Promise<void> {
  await sql`DELETE FROM pool_key WHERE pooled_account_id = ANY (${rows.map(({ poolId }) => poolId)}::uuid[])`.execute(
    tx.sql,
  );
  await insertPoolKey(tx, rows);
}

/** The account of a pool at the exchange. */
export async function findUid(tx: Tx, poolId: string): Promise<string | null> {
  const { rows } = await sql<{ uid: string | null }>`
    SELECT p.bybit_uid AS uid FROM pooled_account p WHERE p.id = ${poolId}`.execute(tx.sql);
  return rows[0]?.uid ?? null;
}

/** The account is due at once; what the last read found stays until then. */
export async function readSoon(tx: WriteTx, poolId: string): Promise<void> {
  await sql`UPDATE pool_exchange_read SET tried_at = to_timestamp(0) WHERE pooled_account_id = ${poolId}`.execute(
    tx.sql,
  );
}

const columns = sql`k.pooled_account_id AS "poolId", k.field, k.version, k.ciphertext, k.wrapped_key AS "wrappedKey",
  k.master_key_id AS "masterKeyId"`;

export async function listPoolKeys(tx: Tx, poolIds: readonly string[]): Promise<StoredPoolKey[]> {
  const { rows } = await sql<StoredPoolKey>`
    SELECT ${columns} FROM pool_key k WHERE k.pooled_account_id = ANY (${[...poolIds]}::uuid[])`.execute(
    tx.sql,
  );
  return rows;
}

/** Locks some rows under other master keys; other transactions may process the rest meanwhile. */
export async function lockSealedUnderOtherKeys(
  tx: WriteTx,
  masterKeyId: string,
  limit: number,
): Promise<StoredPoolKey[]> {
  const { rows } = await sql<StoredPoolKey>`
    SELECT ${columns} FROM pool_key k WHERE k.master_key_id <> ${masterKeyId}
    ORDER BY k.pooled_account_id, k.field LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows;
}

export async function saveWrapping(
  tx: WriteTx,
  { poolId, field }: PoolKeyPlace,
  { wrappedKey, masterKeyId }: SealedSecret,
): Promise<void> {
  await sql`UPDATE pool_key SET wrapped_key = ${wrappedKey}, master_key_id = ${masterKeyId}
    WHERE pooled_account_id = ${poolId} AND field = ${field}`.execute(tx.sql);
}

export async function countByMasterKey(tx: Tx): Promise<{ masterKeyId: string; count: number }[]> {
  const { rows } = await sql<{ masterKeyId: string; count: number }>`
    SELECT k.master_key_id AS "masterKeyId", count(*)::int AS count FROM pool_key k
    GROUP BY k.master_key_id`.execute(tx.sql);
  return rows;
}
