import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import {
  type AuditKeys,
  type ChainedEntry,
  canonicalEntry,
  chainHash,
  type KeyKind,
  linkHash,
  ownHash,
} from './entry-hashes.ts';

/** An entry as stored, with its values parsed and as text. */
export interface StoredEntry extends Omit<ChainedEntry, 'at'> {
  at: Date;
  /** UTC, to the microsecond. */
  at_text: string;
  /** Null: the column is NULL. */
  before_text: string | null;
  after_text: string | null;
  hash_version: number;
  keyed_by: KeyKind | null;
  own_hash: Buffer | null;
  previous_hash: Buffer;
  hash: Buffer;
}

const COLUMNS = sql`seq, at, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at_text, actor_kind, actor_id,
  actor_name, action, target_kind, target_id, before, after, before::text AS before_text, after::text AS after_text,
  request_id, hash_version, keyed_by, own_hash, previous_hash, hash`;

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

/** The first and the newest entry with an own hash under the key of the workers. */
export async function findEndsOfWorkers(db: Kysely<DB>): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry WHERE seq IN (
      (SELECT min(seq) FROM audit_entry WHERE keyed_by = 'worker'),
      (SELECT max(seq) FROM audit_entry WHERE keyed_by = 'worker'))`.execute(db);
  return rows;
}

/**
 * `right`: the stored hashes are those that the keys give. `unchecked`: that of the chain is, and the own one is under
 * the key of the workers, which is not among the keys. `foreign`: the own hash is not under the key that it names.
 */
export function checkHashes(
  keys: AuditKeys,
  entry: StoredEntry,
): 'right' | 'unchecked' | 'foreign' | 'altered' {
  if (entry.hash_version === 1) return hasFirstHash(keys.chain, entry) ? 'right' : 'altered';
  const { keyed_by: keyedBy, own_hash: stored } = entry;
  if (entry.hash_version !== 2 || keyedBy === null || stored === null) return 'altered';
  const content = canonicalEntry({
    ...{ seq: entry.seq, at: entry.at_text, keyed_by: keyedBy, request_id: entry.request_id },
    ...{ actor_kind: entry.actor_kind, actor_id: entry.actor_id, actor_name: entry.actor_name },
    ...{ action: entry.action, target_kind: entry.target_kind, target_id: entry.target_id },
    ...{ before: entry.before_text, after: entry.after_text },
  });
  if (!linkHash(keys.chain, entry.previous_hash, stored, content).equals(entry.hash)) return 'altered';
  const key = keyedBy === 'worker' ? keys.worker : keys.chain;
  if (key === null) return 'unchecked';
  return ownHash(key, entry.previous_hash, content).equals(stored) ? 'right' : 'foreign';
}

function hasFirstHash(key: Buffer, entry: StoredEntry): boolean {
  const { seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, after } = entry;
  const chained = {
    ...{ seq, at: at.toISOString(), actor_kind, actor_id, actor_name, action, target_kind, target_id },
    ...{ before, after, request_id: entry.request_id },
  };
  return chainHash(key, entry.previous_hash, chained).equals(entry.hash);
}
