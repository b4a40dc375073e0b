import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** A run that this process holds exclusively while its version is unchanged. */
export interface ClaimedRun {
  id: string;
  version: number;
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
  const { rows } = await sql<Row>`
    UPDATE invoicing_run SET version = version + 1, leased_until = now() + make_interval(secs => ${leaseMs / 1000})
    WHERE id = (SELECT id FROM invoicing_run
      WHERE state = 'running' AND (leased_until IS NULL OR leased_until < now())
      ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, version, trader_id, community_id, after_trader_id`.execute(tx.sql);
  return rows[0] ? claimed(rows[0]) : null;
}

/**
 * Adds a batch to the run and advances its cursor. Null when another worker has taken the run over; the caller rolls
 * the batch back.
 */
export async function advanceRun(
  tx: WriteTx,
  { id, version }: ClaimedRun,
  { lastTraderId, traders, positions, invoices, amountUnits, problems }: BatchResult,
  leaseMs: number,
): Promise<ClaimedRun | null> {
  const { rows } = await sql<Row>`
    UPDATE invoicing_run SET version = version + 1, leased_until = now() + make_interval(secs => ${leaseMs / 1000}),
      after_trader_id = ${lastTraderId}, traders = traders + ${traders}, positions = positions + ${positions},
      invoices = invoices + ${invoices}, amount_units = amount_units + ${amountUnits.toString()}::numeric
    WHERE id = ${id} AND version = ${version} AND state = 'running'
    RETURNING id, version, trader_id, community_id, after_trader_id`.execute(tx.sql);
  if (!rows[0]) return null;
  if (problems.length > 0)
    await sql`
      INSERT INTO invoicing_problem (run_id, trader_id, reason)
      SELECT ${id}::uuid, p.trader_id, p.reason
      FROM unnest(${problems.map(({ traderId }) => traderId)}::uuid[], ${problems.map(({ reason }) => reason)}::text[])
        AS p (trader_id, reason)`.execute(tx.sql);
  return claimed(rows[0]);
}

/** Releases the run, so another worker can continue it at once. */
export async function giveRunBack(tx: WriteTx, { id, version }: ClaimedRun): Promise<void> {
  await sql`
    UPDATE invoicing_run SET version = version + 1, leased_until = NULL
    WHERE id = ${id} AND version = ${version} AND state = 'running'`.execute(tx.sql);
}

/**
 * Ends a run. It reports traders with positions of unknown profit, which are not invoiced until the profit is known and
 * would otherwise go unnoticed. A trader with another problem keeps that problem.
 */
export async function finishRun(tx: WriteTx, { id, version }: ClaimedRun): Promise<void> {
  await sql`
    WITH done AS (
      UPDATE invoicing_run SET state = 'done', finished_at = now(), version = version + 1, leased_until = NULL
      WHERE id = ${id} AND version = ${version} AND state = 'running' RETURNING id, trader_id, community_id)
    INSERT INTO invoicing_problem (run_id, trader_id, reason)
    SELECT DISTINCT d.id, c.trader_id, 'unknown_profit'
    FROM done d JOIN closed_position c ON c.closed_pnl IS NULL AND c.invoice_id IS NULL
    JOIN exchange_account a ON a.id = c.account_id AND c.closed_at >= a.created_at
    JOIN trader t ON t.id = c.trader_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id
    WHERE coalesce(p.invoicing_enabled, true) AND (d.trader_id IS NULL OR d.trader_id = t.id)
      AND (d.community_id IS NULL OR d.community_id = t.community_id)
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

interface Row {
  id: string;
  version: number;
  trader_id: string | null;
  community_id: string | null;
  after_trader_id: string | null;
}

const claimed = (row: Row): ClaimedRun => ({
  id: row.id,
  version: row.version,
  traderId: row.trader_id,
  communityId: row.community_id,
  afterTraderId: row.after_trader_id,
});
