import type { CallAnswer } from '@copydesk/contract';
import type { PoolMember, PoolTransaction } from '@copydesk/contract/pools';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';

type MemberTotals = CallAnswer<'GET /api/pooled-accounts/{id}/traders'>['meta'];

interface Paging {
  limit: number;
  offset: number;
}

/** The trader `t` of a member in JSON. */
export const memberTrader = sql`json_build_object('id', t.id, 'reference_number', t.reference_number,
  'telegram_username', t.telegram_username)`;

/** The columns of a member `m` and its trader `t`. The share is of the whole pool, so only super admins get it. */
export function memberColumns(tx: AnyTx): RawBuilder<unknown> {
  const share =
    tx.scope.kind === 'all'
      ? sql`(SELECT round(100 * m.capital_units / nullif(s.capital_units, 0), 4)::text FROM pool_sum s
          WHERE s.pooled_account_id = m.pooled_account_id)`
      : sql`NULL::text`;
  return sql`m.id, ${memberTrader} AS trader, trim_scale(m.capital_units * 0.000000000000000001)::text AS virtual_balance,
    trim_scale(m.pending_units * 0.000000000000000001)::text AS pending_deposits, ${share} AS share_percentage,
    trim_scale(m.carry_units * 0.000000000000000001)::text AS carry, m.deposit_address,
    t.external_wallet_address AS payout_address, app.iso(m.created_at) AS joined_at`;
}

/** Members of a pool in scope, by virtual balance. An index finds the page in this order. */
export async function listMembers(
  tx: AnyTx,
  poolId: string,
  { isPendingOnly, limit, offset }: Paging & { isPendingOnly: boolean },
): Promise<PoolMember[]> {
  const { rows } = await sql<PoolMember>`
    SELECT ${memberColumns(tx)} FROM (
      SELECT m.* FROM pool_member m WHERE m.pooled_account_id = ${poolId}
        AND ${isPendingOnly ? sql`m.pending_units > 0` : sql`true`} AND ${traderInScope(tx, 'm.trader_id')}
      ORDER BY m.capital_units DESC, m.id LIMIT ${limit} OFFSET ${offset}) m
    JOIN trader t ON t.id = m.trader_id
    ORDER BY m.capital_units DESC, m.id`.execute(tx.sql);
  return rows;
}

export async function findMember(tx: Tx, id: string): Promise<PoolMember | null> {
  const { rows } = await sql<PoolMember>`
    SELECT ${memberColumns(tx)} FROM pool_member m JOIN trader t ON t.id = m.trader_id
    WHERE m.id = ${id} AND ${traderInScope(tx, 'm.trader_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Count and sums of the members of a pool in scope. Members without any money count: they have an address. */
export async function sumMembers(tx: AnyTx, poolId: string, isPendingOnly: boolean): Promise<MemberTotals> {
  const { rows } = await sql<MemberTotals>`
    SELECT count(*)::int AS total,
      trim_scale(coalesce(sum(m.capital_units), 0) * 0.000000000000000001)::text AS virtual_balance,
      trim_scale(coalesce(sum(m.pending_units), 0) * 0.000000000000000001)::text AS pending_deposits
    FROM pool_member m WHERE m.pooled_account_id = ${poolId}
      AND ${isPendingOnly ? sql`m.pending_units > 0` : sql`true`} AND ${traderInScope(tx, 'm.trader_id')}`.execute(
    tx.sql,
  );
  return rows[0] as MemberTotals;
}

/** Deposits, withdrawals, results and fees of the members of a pool in scope, newest first. */
export async function listTransactions(
  tx: AnyTx,
  poolId: string,
  { limit, offset }: Paging,
): Promise<{ data: PoolTransaction[]; total: number }> {
  const inScope = traderInScope(tx, 'm.trader_id');
  const all = sql`
    SELECT d.id::text AS id, 'deposit' AS kind, d.member_id, d.amount_units AS units, d.cycle_id, d.transaction_hash,
      d.created_at AS at, CASE d.state WHEN 'admitted' THEN 'completed' WHEN 'returned' THEN 'returned' ELSE 'pending' END
        AS status, NULL AS refusal, NULL::numeric AS available_units
    FROM pool_deposit d JOIN pool_member m ON m.id = d.member_id
    WHERE d.pooled_account_id = ${poolId} AND ${inScope}
    UNION ALL
    SELECT w.id::text, 'withdrawal', w.member_id, coalesce(w.reserved_units, w.amount_units), w.cycle_id, (
        SELECT a.hash FROM transfer_attempt a WHERE a.transfer_id = w.transfer_id AND NOT a.is_cancel
        ORDER BY (a.block_number IS NULL), a.attempt DESC LIMIT 1), w.created_at,
      CASE WHEN w.state = 'paid' THEN 'completed' WHEN w.state IN ('refused', 'cancelled') THEN w.state ELSE 'pending' END,
      w.refusal, w.available_units
    FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
    WHERE w.pooled_account_id = ${poolId} AND ${inScope}
    UNION ALL
    SELECT a.cycle_id || ':' || a.member_id || ':' || f.kind, f.kind, a.member_id, f.units, a.cycle_id, NULL,
      a.booked_at, 'completed', NULL, NULL
    FROM harvest_allocation a JOIN harvest_cycle c ON c.id = a.cycle_id AND c.pooled_account_id = ${poolId}
    JOIN pool_member m ON m.id = a.member_id
    CROSS JOIN LATERAL (VALUES (CASE WHEN a.allocated_units < 0 THEN 'loss' ELSE 'profit' END, abs(a.allocated_units)),
      ('fee', a.fee_units)) AS f (kind, units)
    WHERE a.booked_at IS NOT NULL AND f.units > 0 AND ${inScope}`;
  const { rows: data } = await sql<PoolTransaction>`
    SELECT x.id, x.kind, x.status, x.refusal, trim_scale(x.available_units * 0.000000000000000001)::text AS available,
      trim_scale(x.units * 0.000000000000000001)::text AS amount, h.cycle_number,
      ${memberTrader} AS trader, x.transaction_hash, app.iso(x.at) AS at
    FROM (${all} ORDER BY at DESC, id LIMIT ${limit} OFFSET ${offset}) x
    JOIN pool_member m ON m.id = x.member_id JOIN trader t ON t.id = m.trader_id
    LEFT JOIN harvest_cycle h ON h.id = x.cycle_id ORDER BY x.at DESC, x.id`.execute(tx.sql);
  const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total FROM (${all}) x`.execute(
    tx.sql,
  );
  return { data, total: rows[0]?.total ?? 0 };
}
