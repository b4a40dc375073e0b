import type { Call, CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';

/** The fields of a call's body. `Beside`: those that it does not set. */
type ChangedFields<K extends Call, Beside extends string = never> = Exclude<
  keyof (CallParsed<K> extends { body: infer Body } ? Body : never) & string,
  'version' | Beside
>;

/**
 * The version of a form: a fingerprint of the values that a call changes. Read it together with them, and
 * again under the lock of a change. Every field of the body needs its column to compile: otherwise the later
 * of two concurrent changes would overwrite the other.
 */
export const seenVersion = <K extends Call, Beside extends string = never>(
  columns: Record<ChangedFields<K, Beside>, RawBuilder<unknown>>,
): RawBuilder<string> =>
  sql`left(encode(sha256(convert_to(jsonb_build_array(${sql.join(Object.values(columns))})::text, 'UTF8')), 'hex'), 16)`;

interface Change {
  target: { kind: string; id: string };
  /** Audit actions that change these values; other entries of the target are ignored. */
  actions: readonly string[];
  /** What the author saw; undefined: the caller does not say. */
  seen: string | undefined;
  /** Read under the lock that the change takes. */
  version: string;
  /** The present values. */
  present: object;
  /** The values that the change sets. */
  wanted: object;
}

/**
 * Refuses a change whose author saw other values than the present ones, because it might bring back what another person
 * has just taken away.
 * @throws Refusal `changed_meanwhile`, with both sides of every field that the change sets
 */
export async function requireSeen(tx: Tx, change: Change): Promise<void> {
  const { target, actions, seen, version, present, wanted } = change;
  if (seen === undefined || seen === version) return;
  const author = await findLastAuthor(tx, target, actions);
  const now = present as Record<string, unknown>;
  throw new Refusal('changed_meanwhile', {
    ...(author && { message: `This was changed by ${author} meanwhile.` }),
    details: Object.entries(wanted)
      .filter(([, yours]) => yours !== undefined)
      .map(([path, yours]) => ({
        path,
        message: 'Changed meanwhile',
        yours,
        theirs: now[path] ?? null,
      })),
  });
}

/** Row-level security shows it to super admins only. */
async function findLastAuthor(
  tx: Tx,
  { kind, id }: Change['target'],
  actions: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ actor_name: string }>`SELECT e.actor_name FROM audit_entry e
    WHERE e.target_kind = ${kind} AND e.target_id = ${id} AND e.action = ANY (${[...actions]}::text[])
    ORDER BY e.seq DESC LIMIT 1`.execute(tx.sql);
  return rows[0]?.actor_name ?? null;
}
