import type pg from 'pg';
import { sendTogether } from '../db/send-together.ts';
import { type AuditKeys, canonicalEntry, entryHash, ownKey } from './entry-hashes.ts';

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

const NUMBERS = {
  name: 'audit_numbers',
  text: "SELECT nextval('audit_number')::text AS seq FROM generate_series(1, $1::int)",
};
const RECORD = {
  name: 'record_audit',
  text: `SELECT app.record_audit($1::bigint[], $2::timestamptz, $3, $4, $5, $6::text, $7::text[], $8::text[], $9::text[],
    $10::jsonb[], $11::jsonb[], $12, $13::bytea[])`,
};

/**
 * Records the entries and commits the open transaction, in one write. Each gets a number of the audit, which its own hash
 * covers; a worker seals it into the chain afterwards, so no writer waits for another. A refused entry rolls the
 * transaction back and is thrown.
 */
export async function commitWithAudit(
  client: pg.ClientBase,
  { actor, entries, keys, at }: { actor: Actor; entries: readonly AuditEntry[]; keys: AuditKeys; at: Date },
): Promise<void> {
  if (entries.length === 0) {
    await client.query('COMMIT');
    return;
  }
  const given = await client.query<{ seq: string }>({ ...NUMBERS, values: [entries.length] });
  const numbers = given.rows.map(({ seq }) => seq);
  const { keyedBy, key } = ownKey(keys);
  const shared = {
    at: inMicroseconds(at),
    keyed_by: keyedBy,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: actor.requestId ?? null,
  };
  const rows = entries.map(({ action, target, before, after }, i) => {
    const change = {
      action,
      target_kind: target.kind,
      target_id: target.id,
      before: json(before),
      after: json(after),
    };
    const content = canonicalEntry(3, { ...shared, ...change, seq: numbers[i] ?? '' });
    return { ...change, own: entryHash(key, content) };
  });
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  const parameters = [
    numbers,
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
    keyedBy,
    column('own'),
  ];
  sendTogether(client);
  await Promise.all([client.query({ ...RECORD, values: parameters }), client.query('COMMIT')]);
}

/** As PostgreSQL prints it for the check: it stores microseconds, of which our clock has none. */
const inMicroseconds = (at: Date): string => at.toISOString().replace('Z', '000Z');

const json = (value: AuditValue | undefined): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
