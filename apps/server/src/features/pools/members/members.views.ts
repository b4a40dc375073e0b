import type { CallAnswer, PoolMember, PoolTransaction } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';

type MemberTotals = CallAnswer<'GET /api/pooled-accounts/{id}/traders'>['meta'];

interface Paging {
  limit: number;
  offset: number;
}

const trader = sql`json_build_object('id', t.id, 'reference_number', t.reference_number,
  'telegram_username', t.telegram_username)`;

/** The columns of a member `m` and its trader `t`. The share is of the whole pool, so only super admins get it. */
function memberColumns(tx: Tx): RawBuilder<unknown> {
  const share =
    tx.scope.kind === 'all'
      ? sql`(SELECT round(100 * m.capital_units / nullif(s.capital_units, 0), 4)::text FROM pool_sum s
          WHERE s.pooled_account_id = m.pooled_account_id)`
      : sql`NULL::text`;
  return sql`m.id, ${trader} AS trader, trim_scale(m.capital_units * 0.000000000000000001)::text AS virtual_balance,
    trim_scale(m.pending_units * 0.000000000000000001)::text AS pending_deposits, ${share} AS share_percentage,
    trim_scale(m.carry_units * 0.000000000000000001)::text AS carry, m.deposit_address,
    app.iso(m.created_at) AS joined_at`;
}

/** Members of a pool in scope, by virtual balance. An index finds the page in this order. */
export async function listMembers(
  tx: Tx,
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
export async function sumMembers(tx: Tx, poolId: string, isPendingOnly: boolean): Promise<MemberTotals> {
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

/** Deposits of the members of a pool in scope, newest first. */
export async function listTransactions(
  tx: Tx,
  poolId: string,
  { limit, offset }: Paging,
): Promise<{ data: PoolTransaction[]; total: number }> {
  const { rows: data } = await sql<PoolTransaction>`
    SELECT d.id, 'deposit' AS kind,
      CASE d.state WHEN 'queued' THEN 'pending' WHEN 'admitted' THEN 'completed' ELSE 'failed' END AS status,
      trim_scale(d.amount_units * 0.000000000000000001)::text AS amount, h.cycle_number, ${trader} AS trader,
      d.transaction_hash, app.iso(d.created_at) AS at
    FROM pool_deposit d JOIN pool_member m ON m.id = d.member_id JOIN trader t ON t.id = m.trader_id
    LEFT JOIN harvest_cycle h ON h.id = d.cycle_id
    WHERE d.pooled_account_id = ${poolId} AND ${traderInScope(tx, 'm.trader_id')}
    ORDER BY d.created_at DESC, d.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM pool_deposit d JOIN pool_member m ON m.id = d.member_id
    WHERE d.pooled_account_id = ${poolId} AND ${traderInScope(tx, 'm.trader_id')}`.execute(tx.sql);
  return { data, total: rows[0]?.total ?? 0 };
}
