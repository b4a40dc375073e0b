import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import {
  type AuditKeys,
  type ChainedEntry,
  canonicalEntry,
  chainHash,
  entryHash,
  type KeyKind,
  linkHash,
  ownHash,
  ownSealHash,
  type Sealed,
  sealHash,
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
  /** Null since version 3: `audit_seal` has the chain. */
  previous_hash: Buffer | null;
  hash: Buffer | null;
}

/** A position of the chain. */
export interface StoredSeal {
  position: string;
  sealed_seq: string;
  seal_hash: Buffer;
  /** Null: it continues the chain of the entries before there were seals. */
  seal_keyed_by: KeyKind | null;
  seal_own_hash: Buffer | null;
}

/** A position with its entry, whose `seq` is null where it is gone. */
export type SealedEntry = StoredSeal & (StoredEntry | { seq: null });

/** The columns of an entry `e`. */
const COLUMNS = sql`e.seq, e.at, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at_text,
  e.actor_kind, e.actor_id, e.actor_name, e.action, e.target_kind, e.target_id, e.before, e.after,
  e.before::text AS before_text, e.after::text AS after_text, e.request_id, e.hash_version, e.keyed_by, e.own_hash,
  e.previous_hash, e.hash`;
const SEAL_COLUMNS = sql`s.position, s.seq AS sealed_seq, s.hash AS seal_hash, s.keyed_by AS seal_keyed_by,
  s.own_hash AS seal_own_hash`;

/** The entries after a number, up to another one, in order. */
export async function listEntries(
  db: Kysely<DB>,
  { afterSeq, upTo, limit }: { afterSeq: string; upTo: string; limit: number },
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry e WHERE e.seq > ${afterSeq} AND e.seq <= ${upTo}
    ORDER BY e.seq LIMIT ${limit}`.execute(db);
  return rows;
}

/** The positions after one, in order, with their entries. */
export async function listSeals(
  db: Kysely<DB>,
  { after, limit }: { after: string; limit: number },
): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    SELECT ${SEAL_COLUMNS}, ${COLUMNS} FROM audit_seal s LEFT JOIN audit_entry e ON e.seq = s.seq
    WHERE s.position > ${after} ORDER BY s.position LIMIT ${limit}`.execute(db);
  return rows;
}

/** The first entries that wait to be sealed. One that was removed meanwhile is not among them. */
export async function listUnsealed(db: Kysely<DB>, limit: number): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_unsealed u JOIN audit_entry e ON e.seq = u.seq
    ORDER BY u.seq LIMIT ${limit}`.execute(db);
  return rows;
}

/** The newest position. */
export async function findHead(db: Kysely<DB>): Promise<SealedEntry | null> {
  const { rows } = await sql<SealedEntry>`
    SELECT ${SEAL_COLUMNS}, ${COLUMNS} FROM audit_seal s LEFT JOIN audit_entry e ON e.seq = s.seq
    ORDER BY s.position DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** Where the chain of seals begins, and whether another chain ends there. */
export async function findStart(db: Kysely<DB>): Promise<StoredSeal | null> {
  const { rows } = await sql<StoredSeal>`
    SELECT ${SEAL_COLUMNS} FROM audit_seal s ORDER BY s.position LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** The first entry of all, sealed or not. */
export async function findFirst(db: Kysely<DB>): Promise<StoredEntry | null> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry e ORDER BY e.seq LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** The hash of the chain at a position: that of its seal, or of the entry of this number before there were seals. */
export async function findHash(db: Kysely<DB>, position: string): Promise<Buffer | null> {
  const { rows } = await sql<{ hash: Buffer | null }>`
    SELECT coalesce((SELECT s.hash FROM audit_seal s WHERE s.position = ${position}),
      (SELECT e.hash FROM audit_entry e WHERE e.seq = ${position}
        AND e.seq <= (SELECT s.position FROM audit_seal s WHERE s.keyed_by IS NULL))) AS hash`.execute(db);
  return rows[0]?.hash ?? null;
}

/** The first and the newest entry with an own hash under the key of the workers. */
export async function findEndsOfWorkers(db: Kysely<DB>): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    SELECT ${COLUMNS} FROM audit_entry e WHERE e.seq IN (
      (SELECT min(seq) FROM audit_entry WHERE keyed_by = 'worker'),
      (SELECT max(seq) FROM audit_entry WHERE keyed_by = 'worker'))`.execute(db);
  return rows;
}

/** An entry, and whether it is sealed. */
export type OrderEntry = StoredEntry & { order_id: string; is_sealed: boolean };

/** The entries about these orders, distributions, withdrawals and decisions: see `app.audited_order`. */
export async function listEntriesOfOrders(
  db: Kysely<DB>,
  orderIds: readonly string[],
): Promise<OrderEntry[]> {
  const { rows } = await sql<OrderEntry>`
    SELECT ${COLUMNS}, o.order_id, EXISTS (SELECT FROM audit_seal s WHERE s.seq = e.seq)
      OR e.seq <= coalesce((SELECT s.position FROM audit_seal s WHERE s.keyed_by IS NULL), 0) AS is_sealed
    FROM audit_order o JOIN audit_entry e ON e.seq = o.seq
    WHERE o.order_id = ANY (${[...orderIds]}::text[]) ORDER BY e.seq`.execute(db);
  return rows;
}

/** The first entry that waits to be sealed, and is gone; null: none. */
export async function findRemoved(db: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ seq: string | null }>`
    SELECT min(u.seq) AS seq FROM audit_unsealed u
    WHERE NOT EXISTS (SELECT FROM audit_entry e WHERE e.seq = u.seq)`.execute(db);
  return rows[0]?.seq ?? null;
}

/** Entries that one statement compares with their seals. */
const COMPARED = 50_000;

/** The first entry since there are seals that is neither sealed nor waits for it; null: none. */
export async function findUnchained(db: Kysely<DB>): Promise<string | null> {
  let after = '0';
  for (;;) {
    const { rows } = await sql<{ last: string | null; unchained: string | null }>`
      SELECT max(p.seq) AS last, min(p.seq) FILTER (WHERE NOT EXISTS (SELECT FROM audit_seal s WHERE s.seq = p.seq)
        AND NOT EXISTS (SELECT FROM audit_unsealed u WHERE u.seq = p.seq)) AS unchained
      FROM (SELECT e.seq FROM audit_entry e
        WHERE e.seq > greatest(${after}::bigint, (SELECT s.position FROM audit_seal s WHERE s.keyed_by IS NULL))
        ORDER BY e.seq LIMIT ${COMPARED}) p`.execute(db);
    const [page] = rows;
    if (!page?.last || page.unchained) return page?.unchained ?? null;
    after = page.last;
  }
}

/** How many entries wait to be sealed. */
export async function countUnsealed(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM audit_unsealed`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/**
 * `right`: the stored hashes are those that the keys give. `unchecked`: the own one is under the key of the workers, which
 * is not among the keys. `foreign`: the own hash is not under the key of the workers, which it names. `altered`: nor is
 * another under the key of the chain.
 */
type Checked = 'right' | 'unchecked' | 'foreign' | 'altered';

/** Compares an entry with its own hashes. */
export function checkHashes(keys: AuditKeys, entry: StoredEntry): Checked {
  const { hash_version: version, keyed_by: keyedBy, own_hash: own } = entry;
  if (version === 1) return hasFirstHash(keys.chain, entry) ? 'right' : 'altered';
  if (keyedBy === null || own === null) return 'altered';
  const content = contentOf(entry);
  if (version === 3) return checkOwn(keys, keyedBy, own, (key) => entryHash(key, content));
  const { previous_hash: previous, hash } = entry;
  if (version !== 2 || previous === null || hash === null) return 'altered';
  if (!linkHash(keys.chain, previous, own, content).equals(hash)) return 'altered';
  return checkOwn(keys, keyedBy, own, (key) => ownHash(key, previous, content));
}

/** What the hashes of an entry of version 2 or 3 cover. */
const contentOf = (entry: StoredEntry): string =>
  canonicalEntry(entry.hash_version === 3 ? 3 : 2, {
    ...{ seq: entry.seq, at: entry.at_text, keyed_by: entry.keyed_by ?? 'api', request_id: entry.request_id },
    ...{ actor_kind: entry.actor_kind, actor_id: entry.actor_id, actor_name: entry.actor_name },
    ...{ action: entry.action, target_kind: entry.target_kind, target_id: entry.target_id },
    ...{ before: entry.before_text, after: entry.after_text },
  });

/** What a seal of an entry covers. */
export const sealedOf = (position: bigint, entry: StoredEntry): Sealed => ({
  position,
  own: entry.own_hash,
  content: contentOf(entry),
});

/** Compares a seal with the position before it and its entry. */
export function checkSeal(keys: AuditKeys, previous: Buffer, seal: StoredSeal, entry: StoredEntry): Checked {
  const { seal_keyed_by: keyedBy, seal_own_hash: own, seal_hash: hash } = seal;
  if (keyedBy === null || own === null) return 'altered';
  const sealed = sealedOf(BigInt(seal.position), entry);
  if (!sealHash(keys.chain, previous, own, sealed).equals(hash)) return 'altered';
  return checkOwn(keys, keyedBy, own, (key) => ownSealHash(key, previous, sealed));
}

function checkOwn(keys: AuditKeys, keyedBy: KeyKind, own: Buffer, hashed: (key: Buffer) => Buffer): Checked {
  const key = keyedBy === 'worker' ? keys.worker : keys.chain;
  if (key === null) return 'unchecked';
  if (hashed(key).equals(own)) return 'right';
  return keyedBy === 'worker' ? 'foreign' : 'altered';
}

function hasFirstHash(key: Buffer, entry: StoredEntry): boolean {
  const { seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, after } = entry;
  const { previous_hash: previous, hash } = entry;
  if (previous === null || hash === null) return false;
  const chained = {
    ...{ seq, at: at.toISOString(), actor_kind, actor_id, actor_name, action, target_kind, target_id },
    ...{ before, after, request_id: entry.request_id },
  };
  return chainHash(key, previous, chained).equals(hash);
}
