import { sql } from 'kysely';
import type { Tx, WriteTx } from '../db/database.ts';

/** Facts of an event: short values that need no further reading. Money is decimal text. */
export type SagaEvidence = Record<string, string | number | boolean | null>;

/** An accepted event of a saga. */
export interface SagaEventRecord {
  saga: string;
  sagaId: string;
  /** Of the saga after the event. */
  version: number;
  at: Date;
  event: string;
  role: string;
  from: string;
  to: string;
  evidence: SagaEvidence;
}

/** Appends to the timeline, under the actor of the transaction. */
export async function insertSagaEvents(tx: WriteTx, events: readonly SagaEventRecord[]): Promise<void> {
  if (events.length === 0) return;
  const { kind, id, name } = tx.actor;
  await sql`
    INSERT INTO saga_event (saga, saga_id, version, at, event, role, actor_kind, actor_id, actor_name, from_state,
      to_state, evidence)
    SELECT e.saga, e."sagaId", e.version, e.at, e.event, e.role, ${kind}, ${id}, ${name}, e."from", e."to", e.evidence
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e (saga text, "sagaId" uuid, version integer,
      at timestamptz, event text, role text, "from" text, "to" text, evidence jsonb)`.execute(tx.sql);
}

export interface ListedSagaEvent {
  id: string;
  at: string;
  event: string;
  role: string;
  actor: string;
  from: string;
  to: string;
  version: number;
  evidence: SagaEvidence;
}

/** The timeline of a saga, newest first, for super admins. */
export async function listSagaEvents(
  tx: Tx,
  { saga, sagaId, limit }: { saga: string; sagaId: string; limit: number },
): Promise<ListedSagaEvent[]> {
  const { rows } = await sql<ListedSagaEvent>`
    SELECT e.id, app.iso(e.at) AS at, e.event, e.role, e.actor_name AS actor, e.from_state AS "from",
      e.to_state AS "to", e.version, e.evidence
    FROM saga_event e WHERE e.saga = ${saga} AND e.saga_id = ${sagaId}
    ORDER BY e.id DESC LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** Whether a saga had an event of this kind since then. */
export async function hasSagaEvent(
  tx: Tx,
  { saga, sagaId, event, since }: { saga: string; sagaId: string; event: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM saga_event e
    WHERE e.saga = ${saga} AND e.saga_id = ${sagaId} AND e.event = ${event} AND e.at >= ${since} LIMIT 1`.execute(
    tx.sql,
  );
  return rows.length > 0;
}
