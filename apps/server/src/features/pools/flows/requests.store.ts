import type { OrderState } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { traderLabel } from '../../../core/traders/trader-columns.ts';
import { isHeldChange } from '../../../core/transfers/addresses/held.views.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For super admins and services with the scope of everything.

/** A member, with its virtual balance less reservations. */
export async function findMember(
  tx: WriteTx,
  poolId: string,
  memberId: string,
): Promise<{ traderId: string; communityId: string; availableUnits: bigint } | null> {
  const { rows } = await sql<{ trader_id: string; community_id: string; available: string }>`
    SELECT m.trader_id, p.community_id, coalesce((SELECT b.posted - b.pending FROM ledger_account a
      JOIN ledger_balance b ON b.account_id = a.id
      WHERE a.kind = 'pool_capital' AND a.owner_id = m.id AND a.asset = 'USDT'), 0)::text AS available
    FROM pool_member m JOIN pooled_account p ON p.id = m.pooled_account_id
    WHERE m.id = ${memberId} AND m.pooled_account_id = ${poolId}`.execute(tx.sql);
  const [row] = rows;
  return row
    ? { traderId: row.trader_id, communityId: row.community_id, availableUnits: BigInt(row.available) }
    : null;
}

/** @returns its id; null when its key was used before */
export async function insertWithdrawal(
  tx: WriteTx,
  {
    poolId,
    memberId,
    units,
    requestKey,
  }: {
    poolId: string;
    memberId: string;
    units: bigint | null;
    requestKey: string | null;
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pool_withdrawal (pooled_account_id, member_id, amount_units, request_key, requested_by)
    VALUES (${poolId}, ${memberId}, ${units === null ? null : units.toString()}, ${requestKey}, ${tx.actor.name})
    ON CONFLICT (request_key) DO NOTHING RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

export async function findByKey(
  tx: WriteTx,
  requestKey: string,
): Promise<{ id: string; memberId: string; units: bigint | null; waitingOrderId: string | null } | null> {
  const { rows } = await sql<{
    id: string;
    member_id: string;
    amount: string | null;
    waiting: string | null;
  }>`
    SELECT w.id, w.member_id, w.amount_units::text AS amount, (SELECT o.id FROM money_order o
      WHERE o.id = w.order_id AND o.state = 'awaiting_approval') AS waiting
    FROM pool_withdrawal w WHERE w.request_key = ${requestKey}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  return {
    id: row.id,
    memberId: row.member_id,
    units: row.amount === null ? null : BigInt(row.amount),
    waitingOrderId: row.waiting,
  };
}

/** A queued withdrawal as an order has it. */
export interface OrderableWithdrawal {
  id: string;
  traderId: string;
  label: string;
  toAddress: string | null;
  /** Null: everything. */
  units: bigint | null;
  /** What counts towards the limit: everything is what the member has now. */
  countedUnits: bigint;
  orderId: string | null;
  orderState: OrderState | null;
}

/** These queued withdrawals of a pool, locked, by id. */
export async function lockOrderable(
  tx: WriteTx,
  poolId: string,
  ids: readonly string[],
): Promise<OrderableWithdrawal[]> {
  const { rows } = await sql<
    Omit<OrderableWithdrawal, 'units' | 'countedUnits'> & { units: string | null; counted: string }
  >`
    SELECT w.id, t.id AS "traderId", ${traderLabel('a member')} AS label,
      t.external_wallet_address AS "toAddress", w.amount_units::text AS units,
      coalesce(w.amount_units, (SELECT b.posted - b.pending FROM ledger_account a
        JOIN ledger_balance b ON b.account_id = a.id
        WHERE a.kind = 'pool_capital' AND a.owner_id = w.member_id AND a.asset = 'USDT'), 0)::text AS counted,
      w.order_id AS "orderId", (SELECT o.state FROM money_order o WHERE o.id = w.order_id) AS "orderState"
    FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id JOIN trader t ON t.id = m.trader_id
    WHERE w.id = ANY (${[...ids]}::uuid[]) AND w.pooled_account_id = ${poolId} AND w.state = 'queued'
    ORDER BY w.id FOR NO KEY UPDATE OF w`.execute(tx.sql);
  return rows.map(({ units, counted, ...row }) => ({
    ...row,
    units: units === null ? null : BigInt(units),
    countedUnits: BigInt(counted),
  }));
}

/** The withdrawals belong to this order from now on. */
export async function saveOrder(tx: WriteTx, ids: readonly string[], orderId: string): Promise<void> {
  await sql`UPDATE pool_withdrawal SET order_id = ${orderId}, waits_because = NULL
    WHERE id = ANY (${[...ids]}::uuid[])`.execute(tx.sql);
}

/** The orders among these that no open withdrawal belongs to any more. */
export async function listEmptyOrders(tx: Tx, orderIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT n.id FROM unnest(${[...orderIds]}::uuid[]) AS n (id)
    WHERE NOT EXISTS (SELECT FROM pool_withdrawal w
      WHERE w.order_id = n.id AND w.state IN ('queued', 'reserved', 'paying'))`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** The community of a pool. */
export async function findCommunity(tx: Tx, poolId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT community_id AS id FROM pooled_account WHERE id = ${poolId}`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/** The worker looks at an open pool soon, when it takes up requests. */
export async function wakeCycle(tx: WriteTx, cycleId: string): Promise<void> {
  await sql`UPDATE harvest_cycle SET look_at = now()
    WHERE id = ${cycleId} AND status = 'harvesting' AND step = 'open'`.execute(tx.sql);
}

interface LockedWithdrawal {
  requestId: string;
  attempt: number;
  state: string;
  traderId: string;
  orderId: string | null;
}

export async function lockWithdrawal(
  tx: WriteTx,
  poolId: string,
  id: string,
): Promise<LockedWithdrawal | null> {
  const { rows } = await sql<LockedWithdrawal>`
    SELECT w.id AS "requestId", w.attempt, w.state, m.trader_id AS "traderId", w.order_id AS "orderId"
    FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
    WHERE w.id = ${id} AND w.pooled_account_id = ${poolId} FOR NO KEY UPDATE OF w`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function recordCancelled(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`UPDATE pool_withdrawal SET state = 'cancelled', ended_at = now(), waits_because = NULL
    WHERE id = ANY (${[...ids]}::uuid[]) AND state = 'queued'`.execute(tx.sql);
}

export interface ReturnableDeposit {
  id: string;
  state: string;
  memberLabel: string;
  communityId: string;
  /** The order to return it that waits for a person. */
  waitingOrderId: string | null;
  units: bigint;
  traderId: string;
  /** The wallet of the member's pool address; null: it cannot send. */
  walletId: string | null;
  toAddress: string | null;
  isHeld: boolean;
}

export async function lockDeposit(
  tx: WriteTx,
  poolId: string,
  id: string,
  { chainId, addressHoldHours }: { chainId: number; addressHoldHours: number },
): Promise<ReturnableDeposit | null> {
  const { rows } = await sql<Omit<ReturnableDeposit, 'units'> & { units: string }>`
    SELECT d.id, d.state, d.amount_units::text AS units, t.id AS "traderId", p.community_id AS "communityId",
      ${traderLabel('a member')} AS "memberLabel",
      (SELECT o.id FROM money_order o WHERE o.id = d.return_order_id AND o.state = 'awaiting_approval')
        AS "waitingOrderId", t.external_wallet_address AS "toAddress",
      (SELECT w.id FROM chain_wallet w WHERE w.owner_id = d.member_id AND w.role = 'pool_deposit'
        AND w.chain_id = ${chainId} AND w.frozen_because IS NULL) AS "walletId", EXISTS (
        SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader' AND h.owner_id = t.id::text
          AND ${isHeldChange('h', addressHoldHours)})
        AS "isHeld"
    FROM pool_deposit d JOIN pooled_account p ON p.id = d.pooled_account_id
    JOIN pool_member m ON m.id = d.member_id JOIN trader t ON t.id = m.trader_id
    WHERE d.id = ${id} AND d.pooled_account_id = ${poolId} FOR NO KEY UPDATE OF d`.execute(tx.sql);
  const [row] = rows;
  return row ? { ...row, units: BigInt(row.units) } : null;
}

/** The deposit is to be returned as this order says; null: as none does. */
export async function saveReturnOrder(tx: WriteTx, id: string, orderId: string | null): Promise<void> {
  await sql`UPDATE pool_deposit SET return_order_id = ${orderId} WHERE id = ${id}`.execute(tx.sql);
}
