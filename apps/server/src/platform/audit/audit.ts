import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { canonicalJson } from '../crypto/canonical-json.ts';
import type { DB } from '../db/schema.ts';

/** In whose name something is done. */
export interface Actor {
  kind: 'user' | 'service' | 'system';
  id: string;
  name: string;
  requestId?: string;
}

/** A value that survives a round trip through jsonb unchanged. Money goes in as decimal strings. */
export type AuditValue = string | boolean | number | null | AuditValue[] | { [key: string]: AuditValue };

/** One change: what was done to what, and how it was before and after. Secrets never go in here. */
export interface AuditEntry {
  /** feature.verb, as in `trader.status_changed` */
  action: string;
  target: { kind: string; id: string };
  before?: AuditValue;
  after?: AuditValue;
}

/** What the hash of an entry covers, in this order. */
export interface ChainedEntry {
  seq: string;
  at: string;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string;
  before: AuditValue;
  after: AuditValue;
  request_id: string | null;
}

/** Hash before the first entry. */
export const CHAIN_START = Buffer.alloc(32);

/**
 * Keyed hash (HMAC-SHA-256) over the previous hash and the entry, object keys sorted so that the order in which
 * jsonb gives them back does not matter.
 */
export function chainHash(key: Buffer, previous: Buffer, entry: ChainedEntry): Buffer {
  return createHmac('sha256', key).update(previous).update(canonicalJson(entry)).digest();
}

/**
 * Appends entries to the chain. Call it last in a transaction: from here to the commit no other one can append. The
 * database numbers and links them. The hash computed here covers the number that each entry will get.
 */
export async function appendAudit(
  db: Kysely<DB>,
  { actor, entries, key, at }: { actor: Actor; entries: readonly AuditEntry[]; key: Buffer; at: Date },
): Promise<void> {
  if (entries.length === 0) return;
  const head = await sql<{ seq: string | null; hash: Buffer | null }>`SELECT * FROM app.audit_head()`.execute(
    db,
  );
  let seq = BigInt(head.rows[0]?.seq ?? 0);
  let previous = head.rows[0]?.hash ?? CHAIN_START;
  const rows = entries.map((entry) => {
    seq += 1n;
    const chained: ChainedEntry = {
      seq: seq.toString(),
      at: at.toISOString(),
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      target_kind: entry.target.kind,
      target_id: entry.target.id,
      before: entry.before ?? null,
      after: entry.after ?? null,
      request_id: actor.requestId ?? null,
    };
    const row = { ...chained, hash: chainHash(key, previous, chained) };
    previous = row.hash;
    return row;
  });
  // One statement of constant text, however many there are: while it runs nobody else can append.
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  await sql`SELECT app.append_audit(${at.toISOString()}::timestamptz, ${actor.kind}, ${actor.id}, ${actor.name},
    ${actor.requestId ?? null}::text, ${column('action')}::text[], ${column('target_kind')}::text[],
    ${column('target_id')}::text[], ${column('before').map(json)}::jsonb[], ${column('after').map(json)}::jsonb[],
    ${column('hash')}::bytea[])`.execute(db);
}

function json(value: AuditValue): string | null {
  return value === null ? null : JSON.stringify(value);
}
