import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import { type ChainedEntry, chainHash } from './audit.ts';

/** An entry as stored. */
export interface StoredEntry extends Omit<ChainedEntry, 'at'> {
  at: Date;
  previous_hash: Buffer;
  hash: Buffer;
}

const COLUMNS = sql`seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, after, request_id,
  previous_hash, hash`;

/** The entries after a number, in order. */
export async function listEntries(
  db: Kysely<DB>,
  { afterSeq, limit }: { afterSeq: string; limit: number },
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry WHERE seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`.execute(db);
  return rows;
}

export async function findFirst(db: Kysely<DB>): Promise<StoredEntry | null> {
  return (await listEntries(db, { afterSeq: '0', limit: 1 }))[0] ?? null;
}

/** The newest entry. */
export async function findHead(db: Kysely<DB>): Promise<StoredEntry | null> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry ORDER BY seq DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** The hash of the entry of a number, or null when there is none. */
export async function findHash(db: Kysely<DB>, seq: string): Promise<Buffer | null> {
  const { rows } = await sql<{ hash: Buffer }>`SELECT hash FROM audit_entry WHERE seq = ${seq}`.execute(db);
  return rows[0]?.hash ?? null;
}

/** Whether the stored hash is the one that the key gives for an entry's content and previous hash. */
export function hasItsHash(key: Buffer, { previous_hash, hash, at, ...entry }: StoredEntry): boolean {
  return chainHash(key, previous_hash, { ...entry, at: at.toISOString() }).equals(hash);
}
