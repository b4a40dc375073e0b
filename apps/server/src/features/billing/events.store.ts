import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

// No event belongs to a provider: row-level security shows them to the whole scope only.

export interface NewEvent {
  id: string;
  type: string;
  happenedAt: Date;
  /** Whose subscription to read again; null: the event changes nothing here. */
  subject: EventSubject | null;
}

export interface EventSubject {
  kind: 'customer' | 'charge';
  id: string;
}

/** The waiting events of one subject, held by this worker until their lease ends. */
export interface ClaimedEvents {
  subject: EventSubject;
  ids: string[];
  /** Attempts before this one, of the event that was tried most often. */
  attempts: number;
}

/** Stores an event; false: it is stored already. */
export async function insertEvent(
  tx: WriteTx,
  { id, type, happenedAt, subject }: NewEvent,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO billing_event (id, type, subject_kind, subject_id, state, happened_at)
    VALUES (${id}, ${type}, ${subject?.kind ?? null}, ${subject?.id ?? null}, ${subject ? 'waiting' : 'ignored'},
      ${happenedAt})
    ON CONFLICT (id) DO NOTHING`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/**
 * Claims all due events of the subject that has waited longest: one read answers them together. Two workers may claim
 * later events of the same subject; the number of their reads decides which is kept.
 */
export async function claimEvents(
  tx: WriteTx,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<ClaimedEvents | null> {
  const { rows } = await sql<{ id: string; kind: 'customer' | 'charge'; subject: string; attempts: number }>`
    WITH first AS MATERIALIZED (
      SELECT e.subject_id FROM billing_event e WHERE e.state = 'waiting' AND e.due_at <= ${at}
      ORDER BY e.due_at LIMIT 1 FOR UPDATE SKIP LOCKED),
    due AS MATERIALIZED (
      SELECT e.id FROM billing_event e JOIN first USING (subject_id)
      WHERE e.state = 'waiting' AND e.due_at <= ${at} FOR UPDATE OF e SKIP LOCKED)
    UPDATE billing_event e SET due_at = ${new Date(at.getTime() + leaseMs)} FROM due WHERE e.id = due.id
    RETURNING e.id, e.subject_kind AS kind, e.subject_id AS subject, e.attempts`.execute(tx.sql);
  const [first] = rows;
  if (!first) return null;
  return {
    subject: { kind: first.kind, id: first.subject },
    ids: rows.map(({ id }) => id),
    attempts: Math.max(...rows.map(({ attempts }) => attempts)),
  };
}

/** Ends claimed events. */
export async function finishEvents(
  tx: WriteTx,
  ids: readonly string[],
  { state, problem, at }: { state: 'handled' | 'ignored' | 'failed'; problem: string | null; at: Date },
): Promise<void> {
  await sql`
    UPDATE billing_event SET state = ${state}, problem = ${problem}, handled_at = ${at}, attempts = attempts + 1
    WHERE id = ANY (${[...ids]}::text[]) AND state = 'waiting'`.execute(tx.sql);
}

/** Puts claimed events off. */
export async function postponeEvents(
  tx: WriteTx,
  ids: readonly string[],
  { problem, dueAt }: { problem: string; dueAt: Date },
): Promise<void> {
  await sql`
    UPDATE billing_event SET problem = ${problem}, due_at = ${dueAt}, attempts = attempts + 1
    WHERE id = ANY (${[...ids]}::text[]) AND state = 'waiting'`.execute(tx.sql);
}

/** Deletes events that ended before a time: Stripe sends none again after three days. */
export async function pruneEvents(tx: WriteTx, before: Date): Promise<void> {
  await sql`DELETE FROM billing_event WHERE state <> 'waiting' AND received_at < ${before}`.execute(tx.sql);
}
