import type { PoolCycleResult, PoolEvent } from '@copydesk/contract/pools';
import { unitsToDecimal } from '@copydesk/domain/money';
import { indexSeries } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

interface Row {
  cycle_number: number;
  valued_at: string | null;
  opening: string;
  result: string;
  percentage: string | null;
}

/**
 * The results of a pool, newest first. The capital that traded was frozen at the stop before; for the first cycle of
 * imported books it is the sum of the shares, and the time of an imported result is that of the cycle's end. Amounts are for
 * super admins.
 */
export async function listResults(tx: AnyTx, poolId: string): Promise<PoolCycleResult[]> {
  const { rows } = await sql<Row>`
    SELECT x.cycle_number, x.valued_at, x.opening::text AS opening, x.result::text AS result,
      trim_scale(round(100 * x.result / nullif(x.opening, 0), 6))::text AS percentage
    FROM (
      SELECT h.cycle_number, h.result_units AS result, coalesce(b.frozen_capital_units, (
          SELECT sum(a.share_units) FROM harvest_allocation a WHERE a.cycle_id = h.id), 0) AS opening, app.iso(coalesce(h.valued_at, h.ended_at)) AS valued_at
      FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
      LEFT JOIN harvest_cycle b ON b.pooled_account_id = h.pooled_account_id AND b.cycle_number = h.cycle_number - 1
      WHERE h.pooled_account_id = ${poolId} AND h.result_units IS NOT NULL AND ${communityInScope(tx, 'p.community_id')}) x
    ORDER BY x.cycle_number`.execute(tx.sql);
  const isWhole = tx.scope.kind === 'all';
  const series = indexSeries(
    rows.map(({ cycle_number, valued_at, opening, result }) => ({
      cycleNumber: cycle_number,
      day: valued_at?.slice(0, 10) ?? '',
      openingUnits: BigInt(opening),
      resultUnits: BigInt(result),
      feeUnits: 0n,
    })),
  );
  return rows
    .map(({ cycle_number, valued_at, opening, result, percentage }, nth) => ({
      cycle_number,
      valued_at,
      opening: isWhole ? unitsToDecimal(BigInt(opening)) : null,
      result: isWhole ? unitsToDecimal(BigInt(result)) : null,
      return_percentage: percentage,
      unit_price: series[nth]?.equity ?? '1',
      drawdown: series[nth]?.drawdown ?? '0',
    }))
    .reverse();
}

/**
 * Deposits that a pool admitted and withdrawals that it paid, of members in scope, by cycle. They come after
 * the result of their cycle and change the capital that trades next, so no return includes them.
 */
export async function listEvents(tx: AnyTx, poolId: string): Promise<PoolEvent[]> {
  const { rows } = await sql<PoolEvent>`
    SELECT h.cycle_number, f.kind, count(*)::int AS count,
      trim_scale(sum(f.units) * 0.000000000000000001)::text AS amount
    FROM (
      SELECT d.cycle_id, d.member_id, 'deposit' AS kind, d.amount_units AS units FROM pool_deposit d
      WHERE d.pooled_account_id = ${poolId} AND d.state = 'admitted'
      UNION ALL
      SELECT w.cycle_id, w.member_id, 'withdrawal', w.reserved_units FROM pool_withdrawal w
      WHERE w.pooled_account_id = ${poolId} AND w.state = 'paid') f
    JOIN harvest_cycle h ON h.id = f.cycle_id JOIN pool_member m ON m.id = f.member_id
    WHERE ${traderInScope(tx, 'm.trader_id')}
    GROUP BY h.cycle_number, f.kind ORDER BY h.cycle_number, f.kind`.execute(tx.sql);
  return rows;
}
