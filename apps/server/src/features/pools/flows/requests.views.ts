import type { PoolRequest } from '@copydesk/contract/pools';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { memberTrader } from '../members/members.views.ts';

const usdt = (column: string) => sql`trim_scale(${sql.ref(column)} * 0.000000000000000001)::text`;

/** A member of a pool, or a request of one. */
export interface NamedFlow {
  what: 'member' | 'withdrawal' | 'deposit';
  poolId: string;
  id: string;
}

/** Whether it is of a member in scope. */
export async function isSeen(tx: Tx, { what, poolId, id }: NamedFlow): Promise<boolean> {
  const named = {
    member: sql`m.id = ${id}`,
    withdrawal: sql`EXISTS (SELECT FROM pool_withdrawal w WHERE w.id = ${id} AND w.member_id = m.id)`,
    deposit: sql`EXISTS (SELECT FROM pool_deposit d WHERE d.id = ${id} AND d.member_id = m.id)`,
  }[what];
  const { rows } = await sql`SELECT FROM pool_member m
    WHERE m.pooled_account_id = ${poolId} AND ${named} AND ${traderInScope(tx, 'm.trader_id')}`.execute(
    tx.sql,
  );
  return rows.length > 0;
}

const SHOWN_REFUSED_DAYS = 7;

/**
 * Requests of members in scope, newest first, with their number. The page is chosen first, by the indexes in its order: a
 * pool has as many requests as members, and what is shown of each takes several rows.
 */
export async function listRequests(
  tx: Tx,
  poolId: string,
  { isOpenOnly, limit, offset }: { isOpenOnly: boolean; limit: number; offset: number },
): Promise<{ data: PoolRequest[]; total: number }> {
  const chosen = (open: string[], alias: string) => sql`
    ${sql.ref(`${alias}.pooled_account_id`)} = ${poolId} AND ${memberInScope(tx, `${alias}.member_id`)}
    AND (${!isOpenOnly} OR ${sql.ref(`${alias}.state`)} = ANY (${open}::text[]))`;
  const deposits = chosen(['queued', 'collecting', 'returning'], 'd');
  // A refused request stays listed among the open ones for a while, so that its author sees the refusal.
  const withdrawals = sql`(${chosen(['queued', 'reserved', 'paying', 'refused'], 'w')}
    AND (${!isOpenOnly} OR w.state <> 'refused' OR w.ended_at > now() - make_interval(days => ${SHOWN_REFUSED_DAYS})))`;
  const { rows } = await sql<{ request: PoolRequest }>`
    WITH gate AS (SELECT EXISTS (SELECT FROM transfer_gate g WHERE g.stopped_since IS NOT NULL) AS holds),
    page AS MATERIALIZED (
      SELECT * FROM (
        (SELECT d.id, d.member_id, d.created_at, true AS is_deposit FROM pool_deposit d WHERE ${deposits}
          ORDER BY d.created_at DESC, d.id LIMIT ${limit + offset})
        UNION ALL
        (SELECT w.id, w.member_id, w.created_at, false FROM pool_withdrawal w WHERE ${withdrawals}
          ORDER BY w.created_at DESC, w.id LIMIT ${limit + offset})) r
      ORDER BY r.created_at DESC, r.id LIMIT ${limit} OFFSET ${offset})
    SELECT CASE WHEN p.is_deposit THEN (
        SELECT json_build_object('kind', 'deposit', 'id', d.id, 'member_id', m.id, 'trader', ${memberTrader},
          'state', d.state, 'amount', ${usdt('d.amount_units')}, 'transaction_hash', d.transaction_hash,
          'order_state', (SELECT o.state FROM money_order o WHERE o.id = d.return_order_id),
          'waits_for_stop', gate.holds AND d.state IN ('queued', 'collecting', 'returning'), 'at', app.iso(d.created_at))
        FROM pool_deposit d WHERE d.id = p.id)
      ELSE (
        SELECT json_build_object('kind', 'withdrawal', 'id', w.id, 'member_id', m.id,
          'trader', ${memberTrader}, 'state', w.state,
          'amount', trim_scale(coalesce(w.reserved_units, w.amount_units) * 0.000000000000000001)::text,
          'is_everything', w.amount_units IS NULL, 'is_part', w.part_of IS NOT NULL, 'waits_because', CASE
            WHEN w.state = 'queued' AND t.external_wallet_address IS NULL THEN 'no_payout_address' ELSE w.waits_because END,
          'refusal', w.refusal,
          'available', ${usdt('w.available_units')}, 'requested_by', w.requested_by,
          'order_state', (SELECT o.state FROM money_order o WHERE o.id = w.order_id),
          'waits_for_stop', gate.holds AND w.state IN ('queued', 'reserved', 'paying'),
          'transaction_hash', (SELECT a.hash FROM transfer_attempt a WHERE a.transfer_id = w.transfer_id AND NOT a.is_cancel
            ORDER BY (a.block_number IS NULL), a.attempt DESC LIMIT 1), 'at', app.iso(w.created_at))
        FROM pool_withdrawal w WHERE w.id = p.id) END AS request
    FROM gate CROSS JOIN page p JOIN pool_member m ON m.id = p.member_id JOIN trader t ON t.id = m.trader_id
    ORDER BY p.created_at DESC, p.id`.execute(tx.sql);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT ((SELECT count(*) FROM pool_deposit d WHERE ${deposits})
      + (SELECT count(*) FROM pool_withdrawal w WHERE ${withdrawals}))::int AS total`.execute(tx.sql);
  return { data: rows.map(({ request }) => request), total: counted[0]?.total ?? 0 };
}

/**
 * The condition that a trader in scope is the member, by its id column. A caller that sees everything reads
 * no member.
 */
const memberInScope = (tx: Tx, idColumn: string) =>
  tx.scope.kind === 'all' || !tx.filtersScope
    ? sql`true`
    : sql`EXISTS (SELECT FROM pool_member seen_member WHERE seen_member.id = ${sql.ref(idColumn)}
        AND ${traderInScope(tx, 'seen_member.trader_id')})`;
