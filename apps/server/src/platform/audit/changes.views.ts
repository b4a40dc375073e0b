import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** A change as lists of one object's history show it. */
export interface ListedChange<Action extends string, Values> {
  /** An ISO time. */
  at: string;
  actor_name: string;
  actor_kind: 'user' | 'service' | 'system';
  action: Action;
  before: Values | null;
  after: Values;
}

/** The object whose changes are listed, and the kinds of change. */
interface Changes<Action extends string> {
  kind: string;
  id: string;
  actions: readonly Action[];
}

/** Changes of one object, newest first. Row-level security shows them to super admins only. */
export async function listChanges<Action extends string, Values = Record<string, unknown>>(
  tx: Tx,
  { kind, id, actions }: Changes<Action>,
  page: { limit: number; offset: number },
): Promise<{ data: ListedChange<Action, Values>[]; meta: { total: number } }> {
  const ofObject = sql`e.target_kind = ${kind} AND e.target_id = ${id} AND e.action = ANY (${[...actions]}::text[])`;
  const { rows } = await sql<{ data: ListedChange<Action, Values>[]; total: number }>`
    SELECT (SELECT count(*)::int FROM audit_entry e WHERE ${ofObject}) AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT app.iso(e.at) AS at, e.actor_name, e.actor_kind, e.action, e.before, e.after
        FROM audit_entry e WHERE ${ofObject}
        ORDER BY e.seq DESC LIMIT ${page.limit} OFFSET ${page.offset}) r) AS data`.execute(tx.sql);
  return { data: rows[0]?.data ?? [], meta: { total: rows[0]?.total ?? 0 } };
}
