import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { dueRows, type Held } from '../../../platform/work/due-rows.ts';
import { addUnknownProfits, type RunLine, saveLines } from './run-lines.store.ts';

const RUNS = dueRows({ table: 'invoicing_run', due: null, number: 'version' });

/** A run that this process holds exclusively. */
export interface ClaimedRun extends Held {
  traderId: string | null;
  communityId: string | null;
  afterTraderId: string | null;
  state: 'preparing' | 'running' | 'sending';
  /** To the microsecond. */
  draftedAt: string | null;
}

interface Reach {
  traderId?: string | null | undefined;
  communityId?: string | null | undefined;
}

/** Starts a run, or returns the one under way for the same traders. Each draft is a run of its own. */
export async function startRun(
  tx: WriteTx,
  { traderId = null, communityId = null, isDraft = false }: Reach & { isDraft?: boolean | undefined },
): Promise<{ id: string; isNew: boolean }> {
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    INSERT INTO invoicing_run AS r (trader_id, community_id, requested_by, state, drafted_at)
    VALUES (${traderId}, ${communityId}, ${tx.actor.name}, ${isDraft ? 'preparing' : 'running'},
      ${isDraft ? sql`now()` : null})
    ON CONFLICT (coalesce(trader_id, community_id)) WHERE state = 'running' DO UPDATE SET state = r.state
    RETURNING id, xmax = 0 AS is_new`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error('a run was neither inserted nor found');
  return { id: row.id, isNew: row.is_new };
}

/** The oldest run without a worker or with an expired lease; null when there is none. */
export async function claimRun(tx: WriteTx, leaseMs: number): Promise<ClaimedRun | null> {
  const [run] = await RUNS.claim<ClaimedRun>(tx, {
    at: null,
    leaseMs,
    pick: sql`
      SELECT d.id FROM invoicing_run d
      WHERE d.state IN ('preparing', 'running', 'sending') AND ${RUNS.isFree('d', null)}
      -- NO KEY: an invoice that refers to the run holds its key, also where its worker has just died.
      ORDER BY d.created_at, d.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    returning: sql`r.trader_id AS "traderId", r.community_id AS "communityId",
      r.after_trader_id AS "afterTraderId", r.state, r.drafted_at::text AS "draftedAt"`,
  });
  return run ?? null;
}

/**
 * Adds a batch to the run, in the order of its traders, and advances its cursor. Null when another worker has taken the run over; the caller rolls
 * the batch back.
 */
export async function advanceRun(
  tx: WriteTx,
  run: ClaimedRun,
  lines: readonly RunLine[],
  leaseMs: number,
): Promise<ClaimedRun | null> {
  const total = (of: (line: RunLine) => number) => lines.reduce((sum, line) => sum + of(line), 0);
  const units = (of: (line: RunLine) => bigint) => lines.reduce((sum, line) => sum + of(line), 0n).toString();
  const { traderId: lastTraderId } = lines.at(-1) as RunLine;
  const toInvoice = total(({ invoices }) => (invoices > 0 ? 1 : 0));
  const carried = total(({ invoices, carriedUnits }) => (invoices === 0 && carriedUnits > 0n ? 1 : 0));
  const leftOut = lines.length - toInvoice - carried;
  // The lines of a draft are counted: when it is sent, some are left out after all.
  const counts =
    run.state === 'sending'
      ? sql`to_invoice = to_invoice - ${leftOut}`
      : sql`to_invoice = to_invoice + ${toInvoice}, carried = carried + ${carried},
        carried_units = carried_units + ${units(({ carriedUnits }) => carriedUnits)}::numeric`;
  const isOurs = await RUNS.renew(tx, run, {
    at: null,
    leaseMs,
    set: sql`after_trader_id = ${lastTraderId}, traders = traders + ${lines.length},
      positions = positions + ${total(({ positions }) => positions)},
      invoices = invoices + ${total(({ invoices }) => invoices)},
      amount_units = amount_units + ${units(({ amountUnits }) => amountUnits)}::numeric,
      left_out = left_out + ${leftOut}, ${counts}`,
  });
  if (!isOurs) return null;
  await saveLines(tx, run.id, lines);
  return { ...run, afterTraderId: lastTraderId };
}

/** Releases the run, so another worker can continue it at once. */
export const giveRunBack = (tx: WriteTx, run: ClaimedRun): Promise<boolean> => RUNS.giveBack(tx, run, null);

/** Ends a run, or its preparation. Of a draft that is sent, what it left out is known already. */
export async function finishRun(tx: WriteTx, run: ClaimedRun): Promise<void> {
  const set = run.state === 'preparing' ? sql`state = 'draft'` : sql`state = 'done', finished_at = now()`;
  if (!(await RUNS.finish(tx, run, { set }))) return;
  if (run.state !== 'sending') await addUnknownProfits(tx, run);
}

/** What a draft would invoice now. */
export interface Draft {
  invoices: number;
  amountUnits: bigint;
}

/** A draft, locked until the transaction ends; null: there is no such run, or it is no draft (any more). */
export async function lockDraft(tx: WriteTx, id: string): Promise<Draft | null> {
  const { rows } = await sql<{ invoices: number; units: string }>`
    SELECT r.invoices, r.amount_units::text AS units FROM invoicing_run r
    WHERE r.id = ${id} AND r.state = 'draft' FOR UPDATE`.execute(tx.sql);
  const [row] = rows;
  return row ? { invoices: row.invoices, amountUnits: BigInt(row.units) } : null;
}

/** Lets a worker send a locked draft: it is counted from the beginning. */
export async function sendDraft(tx: WriteTx, id: string): Promise<void> {
  await sql`
    UPDATE invoicing_run SET state = 'sending', sent_by = ${tx.actor.name}, after_trader_id = NULL, traders = 0,
      positions = 0, invoices = 0, amount_units = 0 WHERE id = ${id}`.execute(tx.sql);
}

/** Ends a locked draft. Its lines are kept. */
export async function discardDraft(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE invoicing_run SET state = 'discarded', finished_at = now() WHERE id = ${id}`.execute(
    tx.sql,
  );
}

/** Ends drafts that are no longer looked at, and forgets their traders. @returns how many */
export async function discardOldDrafts(tx: WriteTx, before: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    WITH old AS (UPDATE invoicing_run SET state = 'discarded', finished_at = now()
      WHERE state = 'draft' AND created_at < ${before} RETURNING id)
    SELECT count(*)::int AS n FROM old`.execute(tx.sql);
  await sql`
    WITH forgotten AS (UPDATE invoicing_run SET invoices = 0, positions = 0, amount_units = 0, to_invoice = 0, excluded = 0,
        excluded_units = 0, carried = 0, carried_units = 0, left_out = 0
      WHERE state = 'discarded' AND created_at < ${before} AND to_invoice + excluded + carried + left_out > 0 RETURNING id)
    DELETE FROM invoicing_line l USING forgotten f WHERE l.run_id = f.id`.execute(tx.sql);
  return rows[0]?.n ?? 0;
}
