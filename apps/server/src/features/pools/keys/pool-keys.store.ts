import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { PoolKeyPlace, SealedPoolKey, StoredPoolKey } from './pool-key-box.ts';

// For workers. The API sees which pools have a key, and nothing of it.

/** The regional platform of the exchange that a pool's account is at; null: its main one. */
export async function findPoolRegion(tx: Tx, poolId: string): Promise<string | null> {
  const { rows } = await sql<{ region: string | null }>`
    SELECT p.bybit_region AS region FROM pooled_account p WHERE p.id = ${poolId}`.execute(tx.sql);
  return rows[0]?.region ?? null;
}

/** The account of a pool at the exchange. */
export async function findUid(tx: Tx, poolId: string): Promise<string | null> {
  const { rows } = await sql<{ uid: string | null }>`
    SELECT p.bybit_uid AS uid FROM pooled_account p WHERE p.id = ${poolId}`.execute(tx.sql);
  return rows[0]?.uid ?? null;
}

/** Whether a trader or another pool holds the account of a pool. */
export async function isHeldElsewhere(tx: Tx, poolId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pooled_account p JOIN account_holder h ON h.exchange = 'bybit' AND h.acc_uid = p.bybit_uid
    WHERE p.id = ${poolId} AND h.held_until IS NULL AND h.pooled_account_id IS DISTINCT FROM p.id`.execute(
    tx.sql,
  );
  return rows.length > 0;
}

const columns = sql`k.pooled_account_id AS "poolId", k.field, k.version, k.ciphertext, k.recipient,
  k.wrapped_key AS "wrappedKey", k.master_key_id AS "masterKeyId"`;

export async function listPoolKeys(tx: Tx, poolIds: readonly string[]): Promise<StoredPoolKey[]> {
  const { rows } = await sql<StoredPoolKey>`
    SELECT ${columns} FROM pool_key k WHERE k.pooled_account_id = ANY (${[...poolIds]}::uuid[])`.execute(
    tx.sql,
  );
  return rows;
}

/** Locks some parts that are not sealed to this public key; other transactions may process the rest meanwhile. */
export async function lockSealedToOthers(
  tx: WriteTx,
  recipient: string,
  limit: number,
): Promise<StoredPoolKey[]> {
  const { rows } = await sql<StoredPoolKey>`
    SELECT ${columns} FROM pool_key k WHERE k.recipient IS DISTINCT FROM ${recipient}
    ORDER BY k.pooled_account_id, k.field LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows;
}

export async function saveSealed(
  tx: WriteTx,
  { poolId, field }: PoolKeyPlace,
  { ciphertext, recipient }: SealedPoolKey,
): Promise<void> {
  await sql`UPDATE pool_key SET ciphertext = ${ciphertext}, recipient = ${recipient}, wrapped_key = NULL,
    master_key_id = NULL WHERE pooled_account_id = ${poolId} AND field = ${field}`.execute(tx.sql);
}
