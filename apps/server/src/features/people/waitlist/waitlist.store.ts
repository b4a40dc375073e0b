import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

export type WaitlistEntry = CallAnswer<'GET /api/waitlist'>['data'][number];

/** Further requests are refused: a list of this length is an attack. */
const MAX_WAITING = 5_000;

/** Adds a request, unless the address has one. @returns false when the list is full, whatever the address */
export async function joinWaitlist(
  tx: WriteTx,
  { email, name, note }: { email: string; name: string; note: string | null },
  at: Date,
): Promise<boolean> {
  const { rows } = await sql<{ is_full: boolean }>`
    SELECT count(*) >= ${MAX_WAITING} AS is_full FROM identity.waitlist WHERE state = 'waiting'`.execute(
    tx.sql,
  );
  if (rows[0]?.is_full) return false;
  await sql`
    INSERT INTO identity.waitlist (email, name, note, joined_at)
    VALUES (${email}, ${name}, ${note}, ${at}) ON CONFLICT (email) DO NOTHING`.execute(tx.sql);
  return true;
}

/** Adds requests that were made at another identity service, unless an address has one. */
export async function importWaiting(
  tx: WriteTx,
  waiting: readonly { email: string; joinedAt: Date }[],
): Promise<void> {
  for (const { email, joinedAt } of waiting)
    await joinWaitlist(tx, { email, name: email, note: null }, joinedAt);
}

const columns = sql`w.id, w.email, w.name, w.note, w.state, app.iso(w.joined_at) AS joined_at,
  app.iso(w.decided_at) AS decided_at, w.decided_by,
  EXISTS (SELECT FROM identity.person p WHERE p.email = w.email) AS has_account`;

/** Open requests, oldest first. */
export async function listWaiting(
  tx: Tx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: WaitlistEntry[]; total: number }> {
  const { rows: data } = await sql<WaitlistEntry>`
    SELECT ${columns} FROM identity.waitlist w WHERE w.state = 'waiting'
    ORDER BY w.joined_at, w.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM identity.waitlist WHERE state = 'waiting'`.execute(tx.sql);
  return { data, total: rows[0]?.total ?? 0 };
}

export async function findEntryForUpdate(tx: WriteTx, id: string): Promise<WaitlistEntry | null> {
  const { rows } = await sql<WaitlistEntry>`
    SELECT ${columns} FROM identity.waitlist w WHERE w.id = ${id} FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function saveDecision(
  tx: WriteTx,
  id: string,
  state: 'approved' | 'declined',
  at: Date,
): Promise<void> {
  await sql`UPDATE identity.waitlist SET state = ${state}, decided_at = ${at}, decided_by = ${tx.actor.name}
    WHERE id = ${id}`.execute(tx.sql);
}
