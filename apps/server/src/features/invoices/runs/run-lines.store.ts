import type { LineReason } from '@copydesk/domain/invoices';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** What a run does to a trader. Amounts are USDT base units. */
export interface RunLine {
  traderId: string;
  invoices: number;
  positions: number;
  amountUnits: bigint;
  /** Below the minimum. */
  carriedUnits: bigint;
  reason: LineReason | null;
}

/** A trader of which a run invoices nothing, for this reason. */
export const lineWithout = (traderId: string, reason: LineReason): RunLine => ({
  traderId,
  invoices: 0,
  positions: 0,
  amountUnits: 0n,
  carriedUnits: 0n,
  reason,
});

/** Stores what became of traders. Those of a draft have a line, which is replaced. */
export async function saveLines(tx: WriteTx, runId: string, lines: readonly RunLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    trader_id: line.traderId,
    invoices: line.invoices,
    positions: line.positions,
    amount_units: line.amountUnits.toString(),
    carried_units: line.carriedUnits.toString(),
    reason: line.reason,
  }));
  await sql`
    INSERT INTO invoicing_line AS l (run_id, trader_id, invoices, positions, amount_units, carried_units, reason)
    SELECT ${runId}::uuid, n.*
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (trader_id uuid, invoices int, positions int,
      amount_units numeric, carried_units numeric, reason text)
    ON CONFLICT (run_id, trader_id) DO UPDATE SET invoices = excluded.invoices, positions = excluded.positions,
      amount_units = excluded.amount_units, carried_units = excluded.carried_units, reason = excluded.reason
    WHERE (l.invoices, l.positions, l.amount_units, l.carried_units, l.reason) IS DISTINCT FROM
      (excluded.invoices, excluded.positions, excluded.amount_units, excluded.carried_units, excluded.reason)`.execute(
    tx.sql,
  );
}

/**
 * Adds traders with positions of unknown profit, which are not invoiced until the profit is known and would otherwise go
 * unnoticed. A trader with another reason keeps that reason.
 */
export async function addUnknownProfits(
  tx: WriteTx,
  { id, draftedAt }: { id: string; draftedAt: string | null },
): Promise<void> {
  await sql`
    WITH noted AS (INSERT INTO invoicing_line AS l (run_id, trader_id, reason)
    SELECT DISTINCT d.id, c.trader_id, 'unknown_profit'
    FROM invoicing_run d JOIN closed_position c ON c.closed_pnl IS NULL AND c.invoice_id IS NULL
      ${draftedAt === null ? sql`` : sql`AND c.created_at <= ${draftedAt}::timestamptz`}
    JOIN exchange_account a ON a.id = c.account_id AND c.closed_at >= a.created_at
    JOIN trader t ON t.id = c.trader_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id
    WHERE d.id = ${id} AND coalesce(p.invoicing_enabled, true)
      AND (d.trader_id IS NULL OR d.trader_id = t.id) AND (d.community_id IS NULL OR d.community_id = t.community_id)
    ON CONFLICT (run_id, trader_id) DO UPDATE SET reason = excluded.reason
    WHERE l.reason IS NULL OR l.reason = 'nothing_due' RETURNING xmax = 0 AS is_new)
    UPDATE invoicing_run r SET left_out = r.left_out + n.added
    FROM (SELECT count(*) AS added FROM noted WHERE is_new) n WHERE r.id = ${id} AND n.added > 0`.execute(
    tx.sql,
  );
}

/** The next traders of a draft that is sent, in the order of their ids. */
export async function listTradersToSend(
  tx: Tx,
  { id, afterTraderId }: { id: string; afterTraderId: string | null },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ trader_id: string }>`
    SELECT l.trader_id FROM invoicing_line l
    WHERE l.run_id = ${id} AND l.invoices > 0 AND NOT l.is_excluded
      ${afterTraderId ? sql`AND l.trader_id > ${afterTraderId}` : sql``}
    ORDER BY l.trader_id LIMIT ${sql.lit(limit)}`.execute(tx.sql);
  return rows.map((row) => row.trader_id);
}

type Drafted = Pick<RunLine, 'invoices' | 'positions' | 'amountUnits' | 'reason'>;

/** What a draft showed of traders. */
export async function readDrafted(
  tx: Tx,
  runId: string,
  traderIds: readonly string[],
): Promise<Map<string, Drafted>> {
  const { rows } = await sql<{
    trader_id: string;
    invoices: number;
    positions: number;
    units: string;
    reason: LineReason | null;
  }>`
    SELECT l.trader_id, l.invoices, l.positions, l.amount_units::text AS units, l.reason
    FROM invoicing_line l WHERE l.run_id = ${runId} AND l.trader_id = ANY (${[...traderIds]}::uuid[])`.execute(
    tx.sql,
  );
  return new Map(
    rows.map(({ trader_id, units, ...line }) => [trader_id, { ...line, amountUnits: BigInt(units) }]),
  );
}

/**
 * Leaves traders out of a draft, or takes them in again; its figures follow. The run is locked.
 * @param chosen their ids, as a statement or an array
 * @returns how many changed
 */
export async function excludeTraders(
  tx: WriteTx,
  runId: string,
  { chosen, isExcluded }: { chosen: RawBuilder<unknown>; isExcluded: boolean },
): Promise<number> {
  const sign = sql.lit(isExcluded ? -1 : 1);
  const { rows } = await sql<{ changed: number }>`
    WITH changed AS (
      UPDATE invoicing_line l SET is_excluded = ${isExcluded}::boolean
      WHERE l.run_id = ${runId} AND l.trader_id = ANY (${chosen}) AND l.invoices > 0
        AND l.is_excluded <> ${isExcluded}::boolean
      RETURNING l.invoices, l.positions, l.amount_units),
    summed AS (SELECT count(*)::int AS n, coalesce(sum(invoices), 0)::int AS invoices,
      coalesce(sum(positions), 0)::int AS positions, coalesce(sum(amount_units), 0) AS units FROM changed),
    followed AS (UPDATE invoicing_run r SET invoices = r.invoices + ${sign} * s.invoices,
      positions = r.positions + ${sign} * s.positions, amount_units = r.amount_units + ${sign} * s.units,
      to_invoice = r.to_invoice + ${sign} * s.n, excluded = r.excluded - ${sign} * s.n,
      excluded_units = r.excluded_units - ${sign} * s.units
      FROM summed s WHERE r.id = ${runId})
    SELECT n AS changed FROM summed`.execute(tx.sql);
  return rows[0]?.changed ?? 0;
}
