import type { BulkActRow, PlannedRow } from '@copydesk/contract/bulk';
import { BULK_HOLD_SECONDS, type BulkAct, type BulkOutcome, type BulkReason } from '@copydesk/domain/bulk';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { later, nextLease } from '../../platform/work/due-rows.ts';
import type { ActParams } from './bulk-parts.ts';

/** More than a person has in 30 days. */
const LISTED = 200;

const COLUMNS = sql`id, act, status, state, total, done, left_out, failed, app.iso(begins_at) AS begins_at,
  app.iso(created_at) AS created_at, app.iso(finished_at) AS finished_at`;

/** A person's acts are private and independent of scope. */
export async function listActs(tx: Tx, userId: string): Promise<BulkActRow[]> {
  const { rows } = await sql<BulkActRow>`
    SELECT ${COLUMNS} FROM bulk_act WHERE user_id = ${userId} ORDER BY bulk_act.created_at DESC, id DESC
    LIMIT ${LISTED}`.execute(tx.sql);
  return rows;
}

/** An act of the caller, locked until the transaction ends: its worker waits meanwhile. */
export async function lockAct(
  tx: WriteTx,
  id: string,
): Promise<(BulkActRow & { organization_id: string | null }) | null> {
  const { rows } = await sql<BulkActRow & { organization_id: string | null }>`
    SELECT ${COLUMNS}, organization_id FROM bulk_act WHERE id = ${id} AND user_id = ${tx.actor.id}
    FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Acts of the caller that wait or run. Until the end of the transaction no other one of that person counts them. */
export async function countUnfinished(tx: WriteTx): Promise<number> {
  const { id } = tx.actor;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.bulk_acts ${id}`}, 0))`.execute(tx.sql);
  const { rows } = await sql<{ unfinished: number }>`
    SELECT count(*)::int AS unfinished FROM bulk_act WHERE user_id = ${id} AND state IN ('waiting', 'running')`.execute(
    tx.sql,
  );
  return rows[0]?.unfinished ?? 0;
}

/** A trader of an act, before it is done. */
export interface OrderedRow {
  traderId: string;
  before: string | null;
  reason: BulkReason | null;
}

/** Stores an act with all its rows. Those with a reason are left out from the beginning. */
export async function insertAct(
  tx: WriteTx,
  { act, status, organizationId }: ActParams & { act: BulkAct; organizationId: string | null },
  rows: readonly OrderedRow[],
): Promise<BulkActRow> {
  const begins = later(BULK_HOLD_SECONDS[act] * 1_000);
  const leftOut = rows.filter(({ reason }) => reason !== null).length;
  const stored = await sql<BulkActRow>`
    INSERT INTO bulk_act (user_id, user_name, organization_id, act, status, total, left_out, begins_at, due_at, created_at)
    VALUES (${tx.actor.id}, ${tx.actor.name}, ${organizationId}, ${act}, ${status}, ${rows.length}, ${leftOut}, ${begins},
      ${begins}, now())
    RETURNING ${COLUMNS}`.execute(tx.sql);
  const [row] = stored.rows;
  if (!row) throw new Error('the bulk act was not stored');
  await sql`
    INSERT INTO bulk_act_row (bulk_act_id, position, trader_id, before, outcome, reason)
    SELECT ${row.id}, r.position, r.trader_id, r.before, CASE WHEN r.reason IS NOT NULL THEN 'left_out' END, r.reason
    FROM unnest(${rows.map(({ traderId }) => traderId)}::uuid[], ${rows.map(({ before }) => before)}::text[],
      ${rows.map(({ reason }) => reason)}::text[]) WITH ORDINALITY AS r (trader_id, before, reason, position)`.execute(
    tx.sql,
  );
  return row;
}

/** The columns of an act's counts, from its rows. */
export const counted = ({ id }: { id: string }) => sql`(done, left_out, failed) = (
  SELECT count(*) FILTER (WHERE w.outcome = 'done'), count(*) FILTER (WHERE w.outcome = 'left_out'),
    count(*) FILTER (WHERE w.outcome = 'failed')
  FROM bulk_act_row w WHERE w.bulk_act_id = ${id}::uuid)`;

/** Ends an act. Its worker notices by the changed lease number before the next row. */
export async function stopAct(tx: WriteTx, id: string): Promise<BulkActRow> {
  const { rows } = await sql<BulkActRow>`
    UPDATE bulk_act SET state = 'cancelled', finished_at = now(), leased_until = NULL, lease_number = ${nextLease(sql.ref('lease_number'))},
      ${counted({ id })}
    WHERE id = ${id} AND user_id = ${tx.actor.id} RETURNING ${COLUMNS}`.execute(tx.sql);
  return rows[0] as BulkActRow;
}

/** Lets a worker repeat the failed rows of an act that has ended. */
export async function retryFailed(tx: WriteTx, id: string): Promise<BulkActRow> {
  await sql`UPDATE bulk_act_row SET outcome = NULL WHERE bulk_act_id = ${id} AND outcome = 'failed'`.execute(
    tx.sql,
  );
  const { rows } = await sql<BulkActRow>`
    UPDATE bulk_act SET state = 'waiting', finished_at = NULL, failed = 0, attempts = 0, due_at = now()
    WHERE id = ${id} AND user_id = ${tx.actor.id} RETURNING ${COLUMNS}`.execute(tx.sql);
  return rows[0] as BulkActRow;
}

type ShownRow = Pick<PlannedRow, 'name' | 'telegram_username' | 'reference_number' | 'reason'> & {
  trader_id: string | null;
  outcome: BulkOutcome | null;
};

/** The rows of an act of the caller, in their order, with the names that its scope shows; null: there is no such act. */
export async function listRows(
  tx: Tx,
  userId: string,
  {
    id,
    outcome,
    limit,
    offset,
  }: { id: string; outcome: BulkOutcome | undefined; limit: number; offset: number },
): Promise<{ rows: ShownRow[]; total: number } | null> {
  const own = await sql`SELECT FROM bulk_act WHERE id = ${id} AND user_id = ${userId}`.execute(tx.sql);
  if (own.rows.length === 0) return null;
  const wanted = sql`r.bulk_act_id = ${id} ${outcome ? sql`AND r.outcome = ${outcome}` : sql``}`;
  const counted = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM bulk_act_row r WHERE ${wanted}`.execute(tx.sql);
  const { rows } = await sql<ShownRow>`
    SELECT t.id AS trader_id, t.name, t.telegram_username, t.reference_number, r.outcome, r.reason
    FROM (SELECT * FROM bulk_act_row r WHERE ${wanted} ORDER BY r.position LIMIT ${limit} OFFSET ${offset}) r
    LEFT JOIN trader t ON t.id = r.trader_id ORDER BY r.position`.execute(tx.sql);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
