import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** What is to lift the stop that holds. */
export interface Lift {
  id: string;
  stopId: string;
  reason: string;
  requestedById: string;
  requestedBy: string;
  /** Null: not confirmed yet. */
  decidedById: string | null;
  decidedBy: string | null;
}

const lifts = sql`SELECT l.id, l.stop_id AS "stopId", l.reason, l.requested_by_id AS "requestedById",
    l.requested_by AS "requestedBy", l.decided_by_id AS "decidedById", l.decided_by AS "decidedBy"
  FROM transfer_stop_lift l JOIN transfer_stop s ON s.id = l.stop_id AND s.lifted_at IS NULL`;

/** Asks to lift a stop. @returns null: something waits already, or this stop does not hold */
export async function insertLift(tx: WriteTx, stopId: string, reason: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO transfer_stop_lift (stop_id, reason, requested_by_id, requested_by)
    SELECT s.id, ${reason}, ${tx.actor.id}, ${tx.actor.name} FROM transfer_stop s
    WHERE s.id = ${stopId} AND s.lifted_at IS NULL
    ON CONFLICT DO NOTHING RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/** What is to lift the stop that holds, undecided or confirmed, locked until the transaction ends. */
export async function lockLift(tx: WriteTx, id: string): Promise<(Lift & { state: string }) | null> {
  const { rows } = await sql<Lift & { state: string }>`
    SELECT n.*, l.state FROM (${lifts} WHERE l.id = ${id}) n
    JOIN transfer_stop_lift l ON l.id = n.id AND l.state IN ('waiting', 'confirmed')
    FOR NO KEY UPDATE OF l`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function listConfirmedLifts(tx: Tx): Promise<Lift[]> {
  const { rows } = await sql<Lift>`${lifts} WHERE l.state = 'confirmed'`.execute(tx.sql);
  return rows;
}

/** A person decides. */
export async function decideLift(
  tx: WriteTx,
  id: string,
  state: 'confirmed' | 'withdrawn' | 'refused',
): Promise<void> {
  await sql`UPDATE transfer_stop_lift SET state = ${state}, decided_by_id = ${tx.actor.id},
      decided_by = ${tx.actor.name}, decided_at = clock_timestamp() WHERE id = ${id}`.execute(tx.sql);
}

/** Carries a confirmed lift out. For workers. @returns null: it is not confirmed, or its stop was lifted otherwise */
export async function liftStop(tx: WriteTx, liftId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`SELECT app.lift_stop(${liftId}) AS id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/** Lifts the stop for the command on the machine of a worker. @returns null: there was none */
export async function resumeAsOperator(tx: WriteTx, reason: string): Promise<string | null> {
  const { id, name } = tx.actor;
  const { rows } = await sql<{ id: string | null }>`
    SELECT app.resume_payments(${reason}, ${id}, ${name}) AS id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}
