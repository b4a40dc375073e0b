import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { dueRows, type Held } from '../../../platform/work/due-rows.ts';

const RUNS = dueRows({ table: 'invoicing_run', due: null, number: 'version' });

/** A run that this process holds exclusively. */
export interface ClaimedRun extends Held {
  traderId: string | null;
  communityId: string | null;
  afterTraderId: string | null;
}

export type ProblemReason = 'split_exceeds_invoice' | 'no_deposit_address' | 'failed' | 'unknown_profit';

/** The figures that a batch adds to a run. */
export interface BatchResult {
  lastTraderId: string;
  traders: number;
  positions: number;
  invoices: number;
  amountUnits: bigint;
  problems: readonly { traderId: string; reason: ProblemReason }[];
}

/** Starts a run, or returns the one under way for the same traders. */
export async function startRun(
  tx: WriteTx,
  { traderId = null, communityId = null }: { traderId?: string | null; communityId?: string | null },
): Promise<{ id: string; isNew: boolean }> {
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    INSERT INTO invoicing_run AS r (trader_id, community_id, requested_by)
    VALUES (${traderId}, ${communityId}, ${tx.actor.name})
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
      SELECT d.id FROM invoicing_run d WHERE d.state = 'running' AND ${RUNS.isFree('d', null)}
      ORDER BY d.created_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    returning: sql`r.trader_id AS "traderId", r.community_id AS "communityId",
      r.after_trader_id AS "afterTraderId"`,
  });
  return run ?? null;
}

/**
 * Adds a batch to the run and advances its cursor. Null when another worker has taken the run over; the caller rolls
 * the batch back.
 */
export async function advanceRun(
  tx: WriteTx,
  run: ClaimedRun,
  { lastTraderId, traders, positions, invoices, amountUnits, problems }: BatchResult,
  leaseMs: number,
): Promise<ClaimedRun | null> {
  const isOurs = await RUNS.renew(tx, run, {
    at: null,
    leaseMs,
    set: sql`after_trader_id = ${lastTraderId}, traders = traders + ${traders}, positions = positions + ${positions},
      invoices = invoices + ${invoices}, amount_units = amount_units + ${amountUnits.toString()}::numeric`,
  });
  if (!isOurs) return null;
  if (problems.length > 0)
    await sql`
      INSERT INTO invoicing_problem (run_id, trader_id, reason)
      SELECT ${run.id}::uuid, p.trader_id, p.reason
      FROM unnest(${problems.map(({ traderId }) => traderId)}::uuid[], ${problems.map(({ reason }) => reason)}::text[])
        AS p (trader_id, reason)`.execute(tx.sql);
  return { ...run, afterTraderId: lastTraderId };
}

/** Releases the run, so another worker can continue it at once. */
export const giveRunBack = (tx: WriteTx, run: ClaimedRun): Promise<boolean> => RUNS.giveBack(tx, run, null);

/**
 * Ends a run. It reports traders with positions of unknown profit, which are not invoiced until the profit is known and
 * would otherwise go unnoticed. A trader with another problem keeps that problem.
 */
export async function finishRun(tx: WriteTx, run: ClaimedRun): Promise<void> {
  if (!(await RUNS.finish(tx, run, { set: sql`state = 'done', finished_at = now()` }))) return;
  await sql`
    INSERT INTO invoicing_problem (run_id, trader_id, reason)
    SELECT DISTINCT d.id, c.trader_id, 'unknown_profit'
    FROM invoicing_run d JOIN closed_position c ON c.closed_pnl IS NULL AND c.invoice_id IS NULL
    JOIN exchange_account a ON a.id = c.account_id AND c.closed_at >= a.created_at
    JOIN trader t ON t.id = c.trader_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id
    WHERE d.id = ${run.id} AND coalesce(p.invoicing_enabled, true)
      AND (d.trader_id IS NULL OR d.trader_id = t.id) AND (d.community_id IS NULL OR d.community_id = t.community_id)
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}
