import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** Facts of an event: short values that need no further reading. Money is decimal text. */
export type CycleEvidence = Record<string, string | number | boolean | null>;

interface CycleEvent {
  event: string;
  role: string;
  /** Names of states, as in `starting_harvesting/pausing`. */
  from: string;
  to: string;
  /** Of the cycle after the event. */
  version: number;
  evidence: CycleEvidence;
}

/** Appends to the timeline of a cycle, under the actor of the transaction. */
export async function insertCycleEvent(
  tx: WriteTx,
  { cycleId, at, version, event, role, from, to, evidence }: CycleEvent & { cycleId: string; at: Date },
): Promise<void> {
  const { kind, id, name } = tx.actor;
  await sql`
    INSERT INTO saga_event (saga, saga_id, version, at, event, role, actor_kind, actor_id, actor_name, from_state,
      to_state, evidence)
    VALUES ('harvest', ${cycleId}, ${version}, ${at}, ${event}, ${role}, ${kind}, ${id}, ${name}, ${from}, ${to},
      ${JSON.stringify(evidence)})`.execute(tx.sql);
}

interface ListedCycleEvent extends CycleEvent {
  id: string;
  at: string;
  actor: string;
}

/** The timeline of a cycle, newest first, for super admins. */
export async function listCycleEvents(tx: Tx, cycleId: string, limit: number): Promise<ListedCycleEvent[]> {
  const { rows } = await sql<ListedCycleEvent>`
    SELECT e.id, app.iso(e.at) AS at, e.event, e.role, e.actor_name AS actor, e.from_state AS "from",
      e.to_state AS "to", e.version, e.evidence
    FROM saga_event e WHERE e.saga = 'harvest' AND e.saga_id = ${cycleId}
    ORDER BY e.id DESC LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** Whether a cycle had an event of this kind since then. */
export async function hasCycleEvent(tx: Tx, cycleId: string, event: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM saga_event e
    WHERE e.saga = 'harvest' AND e.saga_id = ${cycleId} AND e.event = ${event} AND e.at >= ${since} LIMIT 1`.execute(
    tx.sql,
  );
  return rows.length > 0;
}
