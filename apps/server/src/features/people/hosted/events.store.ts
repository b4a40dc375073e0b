import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** What an event is about: a user to read again, an ended session, requests for access, sessions to end there. */
export type SubjectKind = 'user' | 'session' | 'waitlist' | 'ended_sessions';

export interface EventSubject {
  kind: SubjectKind;
  id: string;
  /** The user of a session. */
  hostedId?: string;
}

/** The waiting events of one subject, held by this worker until their lease ends. */
export interface ClaimedEvents {
  subject: EventSubject;
  ids: string[];
  /** When the last of them happened. */
  happenedAt: Date;
  /** Attempts before this one, of the event that was tried most often. */
  attempts: number;
}

const KEPT_MS = 30 * 86_400_000;

/** Stores an event; false: it is stored already. */
export async function insertHostedEvent(
  tx: WriteTx,
  {
    id,
    type,
    happenedAt,
    subject,
  }: { id: string; type: string; happenedAt: Date; subject: EventSubject | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO identity.hosted_event (id, type, subject_kind, subject_id, hosted_id, state, happened_at)
    VALUES (${id}, ${type}, ${subject?.kind ?? null}, ${subject?.id ?? null}, ${subject?.hostedId ?? null},
      ${subject ? 'waiting' : 'ignored'}, ${happenedAt})
    ON CONFLICT (id) DO NOTHING`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Claims all due events of the subject that has waited longest: one read answers them together. */
export async function claimHostedEvents(
  tx: WriteTx,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<ClaimedEvents | null> {
  const { rows } = await sql<{
    id: string;
    kind: SubjectKind;
    subject: string;
    hosted_id: string | null;
    happened_at: Date;
    attempts: number;
  }>`
    WITH first AS MATERIALIZED (
      SELECT e.subject_kind, e.subject_id FROM identity.hosted_event e WHERE e.state = 'waiting' AND e.due_at <= ${at}
      ORDER BY e.due_at LIMIT 1 FOR UPDATE SKIP LOCKED),
    due AS MATERIALIZED (
      SELECT e.id FROM identity.hosted_event e JOIN first USING (subject_kind, subject_id)
      WHERE e.state = 'waiting' AND e.due_at <= ${at} FOR UPDATE OF e SKIP LOCKED)
    UPDATE identity.hosted_event e SET due_at = ${new Date(at.getTime() + leaseMs)} FROM due WHERE e.id = due.id
    RETURNING e.id, e.subject_kind AS kind, e.subject_id AS subject, e.hosted_id, e.happened_at, e.attempts`.execute(
    tx.sql,
  );
  const [first] = rows;
  if (!first) return null;
  return {
    subject: {
      kind: first.kind,
      id: first.subject,
      ...(first.hosted_id === null ? {} : { hostedId: first.hosted_id }),
    },
    ids: rows.map(({ id }) => id),
    happenedAt: new Date(Math.max(...rows.map(({ happened_at }) => happened_at.getTime()))),
    attempts: Math.max(...rows.map(({ attempts }) => attempts)),
  };
}

/** Ends claimed events. */
export async function finishHostedEvents(
  tx: WriteTx,
  ids: readonly string[],
  { state, problem, at }: { state: 'handled' | 'ignored' | 'failed'; problem: string | null; at: Date },
): Promise<void> {
  await sql`
    UPDATE identity.hosted_event SET state = ${state}, problem = ${problem}, handled_at = ${at}, attempts = attempts + 1
    WHERE id = ANY (${[...ids]}::text[]) AND state = 'waiting'`.execute(tx.sql);
}

/** Puts claimed events off. */
export async function postponeHostedEvents(
  tx: WriteTx,
  ids: readonly string[],
  { problem, dueAt }: { problem: string; dueAt: Date },
): Promise<void> {
  await sql`
    UPDATE identity.hosted_event SET problem = ${problem}, due_at = ${dueAt}, attempts = attempts + 1
    WHERE id = ANY (${[...ids]}::text[]) AND state = 'waiting'`.execute(tx.sql);
}

/** Deletes events that ended long ago: the service sends none again. @returns the number of rows */
export async function pruneHostedEvents(tx: WriteTx, at: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM identity.hosted_event WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.hosted_event
      WHERE state <> 'waiting' AND received_at < ${new Date(at.getTime() - KEPT_MS)} LIMIT ${limit}))`.execute(
    tx.sql,
  );
  return Number(numAffectedRows ?? 0);
}
