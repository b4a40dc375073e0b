import type pg from 'pg';
import { sendTogether } from '../db/send-together.ts';
import {
  type AuditKeys,
  CHAIN_START,
  canonicalEntry,
  canonicalValues,
  type KeyKind,
  linkHash,
  ownHash,
} from './entry-hashes.ts';

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

const HEAD = { name: 'audit_head', text: 'SELECT seq, hash FROM app.audit_head()' };
const APPEND = {
  name: 'append_audit',
  text: `SELECT app.append_audit($1::timestamptz, $2, $3, $4, $5::text, $6::text[], $7::text[], $8::text[], $9::jsonb[],
    $10::jsonb[], $11::bytea[], $12, $13::bytea[])`,
};

/**
 * Appends entries to the chain and commits the open transaction. Append and commit are sent together, because no other
 * transaction can append between them: the chain is locked for one round trip instead of two. A refused append rolls
 * the transaction back and is thrown. The database numbers and links the entries; the hashes computed here cover the
 * number that each will get.
 */
export async function commitWithAudit(
  client: pg.ClientBase,
  { actor, entries, keys, at }: { actor: Actor; entries: readonly AuditEntry[]; keys: AuditKeys; at: Date },
): Promise<void> {
  if (entries.length === 0) {
    await client.query('COMMIT');
    return;
  }
  const changes = entries.map((entry) => {
    const before = json(entry.before);
    const after = json(entry.after);
    const { kind: target_kind, id: target_id } = entry.target;
    return { action: entry.action, target_kind, target_id, before, after };
  });
  // Before the lock, which the other writers wait for.
  const values = changes.map(canonicalValues);
  const head = await client.query<{ seq: string | null; hash: Buffer | null }>(HEAD);
  let seq = BigInt(head.rows[0]?.seq ?? 0);
  let previous = head.rows[0]?.hash ?? CHAIN_START;
  const keyedBy: KeyKind = keys.worker ? 'worker' : 'api';
  const shared = {
    at: inMicroseconds(at),
    keyed_by: keyedBy,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: actor.requestId ?? null,
  };
  const rows = changes.map((change, i) => {
    seq += 1n;
    const content = canonicalEntry({ ...shared, ...change, seq: seq.toString() }, values[i]);
    const own = ownHash(keys.worker ?? keys.chain, previous, content);
    previous = linkHash(keys.chain, previous, own, content);
    return { ...change, own, hash: previous };
  });
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  const parameters = [
    at.toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    actor.requestId ?? null,
    column('action'),
    column('target_kind'),
    column('target_id'),
    column('before'),
    column('after'),
    column('hash'),
    keyedBy,
    column('own'),
  ];
  sendTogether(client);
  await Promise.all([client.query({ ...APPEND, values: parameters }), client.query('COMMIT')]);
}

/** As PostgreSQL prints it for the check: it stores microseconds, of which our clock has none. */
const inMicroseconds = (at: Date): string => at.toISOString().replace('Z', '000Z');

const json = (value: AuditValue | undefined): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
