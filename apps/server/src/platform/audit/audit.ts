import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { canonicalJson } from '../crypto/canonical-json.ts';
import { sendTogether } from '../db/send-together.ts';

/** The principal that an action is recorded under. */
export interface Actor {
  kind: 'user' | 'service' | 'system';
  id: string;
  name: string;
  requestId?: string;
}

/** A value that survives a round trip through jsonb unchanged. Money goes in as decimal strings. */
export type AuditValue = string | boolean | number | null | AuditValue[] | { [key: string]: AuditValue };

/** One change: the action, its target, and the values before and after. Never contains secrets. */
export interface AuditEntry {
  /** feature.verb, as in `trader.status_changed` */
  action: string;
  target: { kind: string; id: string };
  before?: AuditValue;
  after?: AuditValue;
}

/** The fields that an entry's hash covers, in this order. */
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
 * Keyed hash (HMAC-SHA-256) over the previous hash and the entry. Object keys are sorted, because jsonb does not keep
 * their order.
 */
export function chainHash(key: Buffer, previous: Buffer, entry: ChainedEntry): Buffer {
  return createHmac('sha256', key).update(previous).update(canonicalJson(entry)).digest();
}

const HEAD = { name: 'audit_head', text: 'SELECT seq, hash FROM app.audit_head()' };
const APPEND = {
  name: 'append_audit',
  text: `SELECT app.append_audit($1::timestamptz, $2, $3, $4, $5::text, $6::text[], $7::text[], $8::text[], $9::jsonb[],
    $10::jsonb[], $11::bytea[])`,
};

/**
 * Appends entries to the chain and commits the open transaction. Append and commit are sent together, because no other
 * transaction can append between them: the chain is locked for one round trip instead of two. A refused append rolls
 * the transaction back and is thrown. The database numbers and links the entries; the hash computed here covers the
 * number that each will get.
 */
export async function commitWithAudit(
  client: pg.ClientBase,
  { actor, entries, key, at }: { actor: Actor; entries: readonly AuditEntry[]; key: Buffer; at: Date },
): Promise<void> {
  if (entries.length === 0) {
    await client.query('COMMIT');
    return;
  }
  const head = await client.query<{ seq: string | null; hash: Buffer | null }>(HEAD);
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
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  const values = [
    at.toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    actor.requestId ?? null,
    column('action'),
    column('target_kind'),
    column('target_id'),
    column('before').map(json),
    column('after').map(json),
    column('hash'),
  ];
  sendTogether(client);
  await Promise.all([client.query({ ...APPEND, values }), client.query('COMMIT')]);
}

function json(value: AuditValue): string | null {
  return value === null ? null : JSON.stringify(value);
}
