import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { suggestsAll } from '@copydesk/domain/pools';
import { voidOrders } from '../../../core/transfers/orders/orders.store.ts';
import type { OrderRules, Waits } from '../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import type { PoolTransferDeps } from './order-flows.ts';
import { releaseWithdrawals } from './release-reservations.ts';
import * as store from './requests.store.ts';
import { orderReturn } from './return-order.ts';
import { orderWithdrawals } from './withdrawal-order.ts';

type NewWithdrawal = CallParsed<'POST /api/pooled-accounts/{id}/withdrawals'>['body'];
type Requested = CallAnswer<'POST /api/pooled-accounts/{id}/withdrawals'>['data'];

export type RequestDeps = OrderRules & { chain: PoolTransferDeps };

/**
 * Stores a withdrawal of a member, in whatever state the pool is: it is reserved and paid once the pool is open. The same
 * key stores it once. A person orders it with the request; what a program asks for waits for one, beyond the limits of
 * the day.
 * @throws Refusal `not_found`, `above_maximum`, `request_key_reused` for another request under the same key
 */
export async function requestWithdrawal(
  tx: WriteTx,
  deps: RequestDeps,
  poolId: string,
  { member_id: memberId, amount, request_key: requestKey }: NewWithdrawal,
): Promise<Requested> {
  const cycle = await lockCycle(tx, poolId);
  const member = cycle && (await store.findMember(tx, poolId, memberId));
  if (!cycle || !member) throw new Refusal('not_found');
  const units = amount === 'all' ? null : decimalToUnits(amount);
  requirePayable(units, deps.chain.rules.maximumUnits);
  const request = { poolId, memberId, units, requestKey: requestKey ?? null };
  const id = await store.insertWithdrawal(tx, request);
  if (id === null) {
    const before = await store.findByKey(tx, requestKey as string);
    if (before?.memberId !== memberId || before.units !== units) throw new Refusal('request_key_reused');
    const { waitingOrderId } = before;
    return {
      id: before.id,
      state: waitingOrderId === null ? 'done' : 'awaiting_approval',
      order_id: waitingOrderId,
      suggests_all: false,
    };
  }
  await store.wakeCycle(tx, cycle.id);
  tx.audit({
    action: 'pool.withdrawal_requested',
    target: { kind: 'trader', id: member.traderId },
    after: { pooled_account_id: poolId, withdrawal_id: id, amount, request_key: requestKey ?? null },
  });
  const waits: Waits =
    tx.actor.kind === 'service'
      ? { state: 'done', order_id: null }
      : await orderWithdrawals(tx, deps, poolId, [id]);
  return { id, ...waits, suggests_all: units !== null && suggestsAll(units, member.availableUnits) };
}

/** A member who wants more asks for several amounts, or for everything, which is paid in parts. */
function requirePayable(units: bigint | null, maximumUnits: bigint | null): void {
  if (units === null || maximumUnits === null || units <= maximumUnits) return;
  throw new Refusal('above_maximum', {
    message: `One withdrawal is ${unitsToDecimal(maximumUnits)} USDT at most. Ask for several, or for everything, which is paid in parts.`,
  });
}

/**
 * Orders withdrawals that wait for an operator, as one.
 * @throws Refusal `not_found`, `invalid_flow_status`, `order_waits`
 */
export async function confirmWithdrawals(
  tx: WriteTx,
  deps: RequestDeps,
  poolId: string,
  ids: readonly string[],
): Promise<Waits> {
  const cycle = await lockCycle(tx, poolId);
  if (!cycle) throw new Refusal('not_found');
  const waits = await orderWithdrawals(tx, deps, poolId, [...new Set(ids)]);
  await store.wakeCycle(tx, cycle.id);
  return waits;
}

/**
 * Cancels a withdrawal whose payment has not begun.
 * @throws Refusal `not_found`, `invalid_flow_status`
 */
export async function cancelWithdrawal(tx: WriteTx, poolId: string, withdrawalId: string): Promise<void> {
  await lockCycle(tx, poolId);
  const found = await store.lockWithdrawal(tx, poolId, withdrawalId);
  if (!found) throw new Refusal('not_found');
  if (found.state !== 'queued' && found.state !== 'reserved') throw new Refusal('invalid_flow_status');
  if (found.state === 'reserved') await releaseWithdrawals(tx, [found]);
  await store.recordCancelled(tx, [withdrawalId]);
  if (found.orderId) await voidOrders(tx, await store.listEmptyOrders(tx, [found.orderId]));
  tx.audit({
    action: 'pool.withdrawal_cancelled',
    target: { kind: 'trader', id: found.traderId },
    after: { pooled_account_id: poolId, withdrawal_id: withdrawalId },
  });
}

/**
 * Orders the return of a deposit that the pool has not collected, in whatever state the pool is.
 * @throws Refusal `not_found`, `invalid_flow_status`, `wallet_not_ready`, `no_payout_address`, `address_held`,
 * `order_waits`, `person_required`
 */
export async function returnDeposit(
  tx: WriteTx,
  deps: RequestDeps,
  poolId: string,
  depositId: string,
): Promise<Waits> {
  if (!(await lockCycle(tx, poolId))) throw new Refusal('not_found');
  return orderReturn(tx, deps, poolId, depositId);
}
