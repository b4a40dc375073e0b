import { BULK_ROW_DAYS, type BulkAct, type BulkOutcome, type BulkReason } from '@copydesk/domain/bulk';
import { sql } from 'kysely';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { deleteInBatches } from '../../platform/db/delete-in-batches.ts';
import { dueRows, type Held, later } from '../../platform/work/due-rows.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { counted } from './bulk.store.ts';

const WORK = dueRows({ table: 'bulk_act', due: 'due_at' });
const DAY_MS = 86_400_000;

/** An act that one worker does. */
export interface HeldAct extends Held {
  act: BulkAct;
  status: string | null;
  userId: string;
  userName: string;
  organizationId: string | null;
  attempts: number;
}

/** Takes the act that has been due for longest. */
export async function claimAct(tx: WriteTx, leaseMs: number): Promise<HeldAct | null> {
  const [taken] = await WORK.claim<HeldAct>(tx, {
    at: null,
    leaseMs,
    pick: sql`SELECT b.id FROM bulk_act b WHERE b.state IN ('waiting', 'running') AND ${WORK.isFree('b', null)}
      ORDER BY b.due_at, b.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    set: sql`state = 'running', attempts = r.attempts + 1`,
    returning: sql`r.act, r.status, r.user_id AS "userId", r.user_name AS "userName",
      r.organization_id AS "organizationId", r.attempts`,
  });
  return taken ?? null;
}

/** How long until an act is due, in milliseconds; 0: none waits for the clock. */
export async function untilDue(tx: Tx): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT greatest(1, ceil(extract(epoch FROM min(due_at) - now()) * 1000))::int AS ms FROM bulk_act
    WHERE state IN ('waiting', 'running') AND due_at > now()`.execute(tx.sql);
  return rows[0]?.ms ?? 0;
}

export interface WaitingRow {
  position: number;
  traderId: string;
  before: string | null;
}

/** The next unfinished rows, in order. */
export async function listWaiting(tx: Tx, { id }: HeldAct, limit: number): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT position, trader_id AS "traderId", before FROM bulk_act_row
    WHERE bulk_act_id = ${id} AND outcome IS NULL ORDER BY position LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/**
 * Holds the act until the end of the transaction, which does one row: meanwhile neither another worker nor
 * its person can end it. @returns false: one of them has
 */
export async function holdAct(tx: WriteTx, { id, leaseNumber }: Held): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM bulk_act WHERE id = ${id} AND lease_number = ${leaseNumber} FOR SHARE`.execute(tx.sql);
  return rows.length > 0;
}

export async function markRow(
  tx: WriteTx,
  { id }: Held,
  { position }: WaitingRow,
  { outcome, reason }: { outcome: BulkOutcome; reason: BulkReason | null },
): Promise<void> {
  await sql`
    UPDATE bulk_act_row SET outcome = ${outcome}, reason = ${reason}
    WHERE bulk_act_id = ${id} AND position = ${position} AND outcome IS NULL`.execute(tx.sql);
}

/** Leaves out all unfinished rows. */
export async function leaveRest(tx: WriteTx, { id }: Held, reason: BulkReason): Promise<void> {
  await sql`UPDATE bulk_act_row SET outcome = 'left_out', reason = ${reason}
    WHERE bulk_act_id = ${id} AND outcome IS NULL`.execute(tx.sql);
}

/** Renews the lease, and writes the counts if rows were done since the last time. */
export const keepAct = (tx: WriteTx, held: HeldAct, leaseMs: number, hasMoved: boolean) =>
  WORK.renew(tx, held, {
    at: null,
    leaseMs,
    ...(hasMoved ? { set: sql`attempts = 0, ${counted(held)}` } : {}),
  });

export const finishAct = (tx: WriteTx, held: HeldAct) =>
  WORK.finish(tx, held, { set: sql`state = 'done', finished_at = now(), ${counted(held)}` });

/** Another worker goes on with it; this attempt does not count. */
export const giveActBack = (tx: WriteTx, held: HeldAct) =>
  WORK.finish(tx, held, {
    set: sql`state = 'waiting', attempts = greatest(attempts - 1, 0), ${counted(held)}`,
    nextAt: later(0),
  });

/** Removes what is too old for the list. @returns the number of deleted rows */
export async function pruneBulkActs({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - BULK_ROW_DAYS * DAY_MS);
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM bulk_act WHERE ctid = ANY (ARRAY(
          SELECT b.ctid FROM bulk_act b WHERE b.created_at < ${before} AND b.state IN ('done', 'cancelled')
          LIMIT ${Math.min(limit, ACTS_AT_ONCE)}))`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
/** Each takes up to ten thousand rows with it. */
const ACTS_AT_ONCE = 10;
