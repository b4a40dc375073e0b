import type { Reservation, WithdrawalRequest } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { isHeldChange } from '../../../core/transfers/addresses/held.views.ts';
import { isStanding } from '../../../core/transfers/orders/standing.views.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// For super admins and the worker, who see every row.

/** A withdrawal that is not under way. Units are base units of USDT. */
export interface OpenWithdrawal extends WithdrawalRequest {
  state: 'queued' | 'reserved';
  attempt: number;
  reservedUnits: bigint | null;
  /** Virtual balance less reservations. */
  availableUnits: bigint;
  toAddress: string | null;
  /** Why it cannot be paid now. */
  waitsBecause:
    | 'no_payout_address'
    | 'address_held'
    | 'own_address'
    | 'awaiting_approval'
    | 'waits_for_operator'
    | 'above_maximum'
    | 'member_not_told'
    | null;
  /** A program asked, and no person has ordered it: it is paid within limits of the day. */
  isUnordered: boolean;
}

interface Row {
  id: string;
  member_id: string;
  amount: string | null;
  state: 'queued' | 'reserved';
  attempt: number;
  reserved: string | null;
  created_at: Date;
  available: string;
  address: string | null;
  is_held: boolean;
  is_own: boolean;
  /** Of its order; null: it has none. */
  order_state: string | null;
  /** A valid order covers this address and this amount. */
  is_ordered: boolean;
  /** No person had a part in the address for a week. */
  is_old_address: boolean;
  /** The message about it went out or failed, or had its time; without an order there is none. */
  is_told: boolean;
}

/** Days for which an address has not changed before a program alone may have it paid. */
const SETTLED_DAYS = 7;

/**
 * Condition over a withdrawal, its trader `t` and `money_order o`: that order stands, and allows what the request is
 * now. Everything of a member leaves out what was admitted after the order.
 */
export function isOrdered(withdrawal: 'w' | 'r') {
  const of = (column: string) => sql.ref(`${withdrawal}.${column}`);
  return sql`coalesce(o.act = 'pool_withdrawals' AND ${isStanding} AND EXISTS (
    SELECT FROM money_order_line l WHERE l.order_id = o.id AND l.subject_id IN (${of('id')}, ${of('part_of')})
      AND lower(l.to_address) = lower(t.external_wallet_address)
      AND (l.amount_units = ${of('amount_units')} OR l.amount_units IS NULL AND ${of('amount_units')} IS NULL))
    AND (${of('amount_units')} IS NOT NULL OR ${of('state')} <> 'queued' OR NOT EXISTS (SELECT FROM pool_deposit d
      WHERE d.member_id = ${of('member_id')} AND d.state = 'admitted' AND d.ended_at > o.requested_at)), false)`;
}

/**
 * Queued and reserved withdrawals of a pool, oldest first, locked.
 * @param waits.noticeMinutes how long one waits at most for the message to its member
 */
export async function lockOpenWithdrawals(
  tx: WriteTx,
  poolId: string,
  { holdHours, noticeMinutes }: { holdHours: number; noticeMinutes: number },
): Promise<OpenWithdrawal[]> {
  const { rows } = await sql<Row>`
    SELECT w.id, w.member_id, w.amount_units::text AS amount, w.state, w.attempt, w.reserved_units::text AS reserved,
      w.created_at, coalesce((SELECT b.posted - b.pending FROM ledger_account a
        JOIN ledger_balance b ON b.account_id = a.id
        WHERE a.kind = 'pool_capital' AND a.owner_id = w.member_id AND a.asset = 'USDT'), 0)::text AS available,
      t.external_wallet_address AS address, EXISTS (
        SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader' AND h.owner_id = t.id::text
          AND ${isHeldChange('h', holdHours)}) AS is_held,
      t.external_wallet_address IS NOT NULL AND app.is_platform_address(t.external_wallet_address) AS is_own,
      o.state AS order_state, ${isOrdered('w')} AS is_ordered,
      t.created_at < now() - make_interval(days => ${SETTLED_DAYS}) AND NOT EXISTS (
        SELECT FROM payout_address_change h WHERE h.owner_kind = 'trader' AND h.owner_id = t.id::text
          AND h.changed_at > now() - make_interval(days => ${SETTLED_DAYS})) AS is_old_address,
      o.id IS NULL OR coalesce(o.decided_at, o.requested_at) <= now() - make_interval(mins => ${noticeMinutes})
        OR EXISTS (SELECT FROM message k WHERE k.state <> 'queued'
          AND k.dedupe_key = 'withdrawal_ordered:' || coalesce(w.part_of, w.id)) AS is_told
    FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id JOIN trader t ON t.id = m.trader_id
    LEFT JOIN money_order o ON o.id = w.order_id
    WHERE w.pooled_account_id = ${poolId} AND w.state IN ('queued', 'reserved')
    ORDER BY w.created_at, w.id FOR NO KEY UPDATE OF w`.execute(tx.sql);
  return rows.map((row) => ({
    requestId: row.id,
    memberId: row.member_id,
    requestedAt: row.created_at,
    amount: row.amount === null ? 'all' : BigInt(row.amount),
    state: row.state,
    attempt: row.attempt,
    reservedUnits: row.reserved === null ? null : BigInt(row.reserved),
    availableUnits: BigInt(row.available),
    toAddress: row.address,
    waitsBecause: waitsBecause(row),
    isUnordered: row.order_state === null,
  }));
}

function waitsBecause(row: Row): OpenWithdrawal['waitsBecause'] {
  if (row.address === null) return 'no_payout_address';
  if (row.is_own) return 'own_address';
  if (row.is_held) return 'address_held';
  if (row.order_state === 'awaiting_approval') return 'awaiting_approval';
  if (!row.is_ordered && (row.order_state !== null || !row.is_old_address)) return 'waits_for_operator';
  return row.is_told ? null : 'member_not_told';
}

/** What left a pool within a day because programs asked, base units by member. */
export async function sumUnordered(tx: WriteTx, poolId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ member_id: string; units: string }>`
    SELECT w.member_id, sum(w.reserved_units)::text AS units
    FROM pool_withdrawal w LEFT JOIN transfer i ON i.id = w.transfer_id
    WHERE w.pooled_account_id = ${poolId} AND w.order_id IS NULL AND w.state IN ('reserved', 'paying', 'paid')
      AND (i.id IS NULL OR i.created_at > now() - interval '1 day')
    GROUP BY 1`.execute(tx.sql);
  return new Map(rows.map(({ member_id, units }) => [member_id, BigInt(units)]));
}

export async function recordWaiting(
  tx: WriteTx,
  waiting: readonly Pick<OpenWithdrawal, 'requestId' | 'waitsBecause'>[],
): Promise<void> {
  if (waiting.length === 0) return;
  await sql`
    UPDATE pool_withdrawal w SET waits_because = n.reason
    FROM unnest(${waiting.map(({ requestId }) => requestId)}::uuid[],
      ${waiting.map((each) => each.waitsBecause)}::text[]) AS n (id, reason)
    WHERE w.id = n.id AND w.waits_because IS DISTINCT FROM n.reason`.execute(tx.sql);
}

type Granted = Extract<Reservation, { units: bigint }>;
type Refused = Extract<Reservation, { refusal: string }>;

export async function saveReserved(tx: WriteTx, cycleId: string, granted: readonly Granted[]): Promise<void> {
  if (granted.length === 0) return;
  await sql`
    UPDATE pool_withdrawal w SET state = 'reserved', reserved_units = n.units, attempt = w.attempt + 1,
      cycle_id = ${cycleId}, waits_because = NULL
    FROM unnest(${granted.map(({ requestId }) => requestId)}::uuid[],
      ${granted.map(({ units }) => units.toString())}::numeric[]) AS n (id, units)
    WHERE w.id = n.id AND w.state = 'queued'`.execute(tx.sql);
}

/** Queues the next part of requests for everything, in the place of each. */
export async function goOn(tx: WriteTx, granted: readonly Granted[]): Promise<void> {
  if (granted.length === 0) return;
  await sql`
    INSERT INTO pool_withdrawal (pooled_account_id, member_id, requested_by, created_at, order_id, part_of)
    SELECT w.pooled_account_id, w.member_id, w.requested_by, w.created_at, w.order_id, coalesce(w.part_of, w.id)
    FROM pool_withdrawal w
    WHERE w.id = ANY (${granted.map(({ requestId }) => requestId)}::uuid[]) AND NOT EXISTS (
      SELECT FROM pool_withdrawal r WHERE r.part_of = coalesce(w.part_of, w.id) AND r.state = 'queued')`.execute(
    tx.sql,
  );
}

export async function saveRefused(tx: WriteTx, refused: readonly Refused[]): Promise<void> {
  if (refused.length === 0) return;
  await sql`
    UPDATE pool_withdrawal w SET state = 'refused', refusal = n.refusal, available_units = n.available,
      ended_at = now(), waits_because = NULL
    FROM unnest(${refused.map(({ requestId }) => requestId)}::uuid[], ${refused.map(({ refusal }) => refusal)}::text[],
      ${refused.map(({ availableUnits }) => availableUnits.toString())}::numeric[]) AS n (id, refusal, available)
    WHERE w.id = n.id AND w.state = 'queued'`.execute(tx.sql);
}

export async function savePaying(
  tx: WriteTx,
  paying: readonly { requestId: string; transferId: string; to: string }[],
): Promise<void> {
  if (paying.length === 0) return;
  await sql`
    UPDATE pool_withdrawal w SET state = 'paying', transfer_id = n.transfer_id, to_address = n.to_address
    FROM unnest(${paying.map(({ requestId }) => requestId)}::uuid[],
      ${paying.map(({ transferId }) => transferId)}::uuid[], ${paying.map(({ to }) => to)}::text[])
      AS n (id, transfer_id, to_address)
    WHERE w.id = n.id AND w.state = 'reserved'`.execute(tx.sql);
}

/** Puts reserved withdrawals back into the queue; their reservations end elsewhere. */
export async function queueAgain(tx: WriteTx, requestIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE pool_withdrawal SET state = 'queued', reserved_units = NULL, cycle_id = NULL
    WHERE id = ANY (${[...requestIds]}::uuid[]) AND state = 'reserved'`.execute(tx.sql);
}

/** Withdrawals whose transfers moved nothing are reserved only. For workers. */
export async function endPaying(tx: WriteTx, transferIds: readonly string[]): Promise<PaidWithdrawal[]> {
  const ended = await listByTransfers(tx, transferIds);
  await sql`
    UPDATE pool_withdrawal SET state = 'reserved', transfer_id = NULL, to_address = NULL
    WHERE id = ANY (${ended.map(({ requestId }) => requestId)}::uuid[]) AND state = 'paying'`.execute(tx.sql);
  return ended;
}

/** The name of a withdrawal's reservation: each attempt has one of its own. */
export const reservationId = ({ requestId, attempt }: { requestId: string; attempt: number }) =>
  `${requestId}:${attempt}`;

export interface PaidWithdrawal {
  requestId: string;
  attempt: number;
  memberId: string;
  poolId: string;
  transferId: string;
}

/** The withdrawals that transfers pay. */
export async function listByTransfers(tx: Tx, transferIds: readonly string[]): Promise<PaidWithdrawal[]> {
  const { rows } = await sql<PaidWithdrawal>`
    SELECT w.id AS "requestId", w.attempt, w.member_id AS "memberId", w.pooled_account_id AS "poolId",
      w.transfer_id AS "transferId"
    FROM pool_withdrawal w WHERE w.transfer_id = ANY (${[...transferIds]}::uuid[]) ORDER BY w.id`.execute(
    tx.sql,
  );
  return rows;
}

export async function recordPaid(tx: WriteTx, requestIds: readonly string[]): Promise<void> {
  await sql`UPDATE pool_withdrawal SET state = 'paid', ended_at = now()
    WHERE id = ANY (${[...requestIds]}::uuid[]) AND state = 'paying'`.execute(tx.sql);
}
