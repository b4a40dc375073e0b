import { randomUUID } from 'node:crypto';
import type { OrderContent } from '@copydesk/domain/access';
import { orderPoolReturn } from '../../../core/transfers/ordered-transfers.store.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import {
  type OrderRules,
  placeOrder,
  type Waits,
  waitsFor,
} from '../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import type { PoolTransferDeps } from './order-flows.ts';
import * as store from './requests.store.ts';

/**
 * Orders the return of a queued deposit to its member. The caller has locked the cycle of the pool.
 * @throws Refusal `not_found`, `invalid_flow_status`, `wallet_not_ready`, `no_payout_address`, `address_held`,
 * `order_waits`, `person_required`
 */
export async function orderReturn(
  tx: WriteTx,
  { chain, ...rules }: OrderRules & { chain: PoolTransferDeps },
  poolId: string,
  depositId: string,
): Promise<Waits> {
  const found = await lockReturnable(tx, chain, poolId, depositId);
  if (found.waitingOrderId) throw new Refusal('order_waits');
  const placed = await placeOrder(tx, rules, {
    act: 'pool_return',
    communityId: found.communityId,
    poolId,
    units: found.units,
    traderIds: [found.traderId],
    content: contentOf(found),
  });
  await store.saveReturnOrder(tx, depositId, placed.id);
  if (placed.needs.length === 0) await giveBack(tx, chain, poolId, found);
  return waitsFor(placed);
}

const contentOf = ({ id, memberLabel, toAddress, units }: store.ReturnableDeposit): OrderContent => ({
  lines: [{ subjectId: id, label: memberLabel, toAddress, units }],
  facts: {},
});

/** @throws Refusal `not_found`, `invalid_flow_status`, `wallet_not_ready`, `no_payout_address`, `address_held` */
async function lockReturnable(
  tx: WriteTx,
  { chainId, rules: { addressHoldHours } }: PoolTransferDeps,
  poolId: string,
  depositId: string,
): Promise<store.ReturnableDeposit> {
  const found = await store.lockDeposit(tx, poolId, depositId, { chainId, addressHoldHours });
  if (!found) throw new Refusal('not_found');
  if (found.state !== 'queued') throw new Refusal('invalid_flow_status');
  if (!found.walletId) throw new Refusal('wallet_not_ready');
  if (!found.toAddress) throw new Refusal('no_payout_address');
  if (found.isHeld) throw new Refusal('address_held');
  return found;
}

async function giveBack(
  tx: WriteTx,
  { chainId, tokenAddress }: PoolTransferDeps,
  poolId: string,
  { id: depositId, traderId, toAddress, units }: store.ReturnableDeposit,
): Promise<void> {
  await orderPoolReturn(tx, { chainId, tokenAddress }, { id: randomUUID(), depositId });
  tx.audit({
    action: 'pool.deposit_return_ordered',
    target: { kind: 'trader', id: traderId },
    after: { pooled_account_id: poolId, deposit_id: depositId, to: toAddress, units: units.toString() },
  });
}

/** The return of a deposit that the pool has not collected. */
export const returnAct = (chain: PoolTransferDeps): OrderAct => ({
  async lock(tx, { poolId }) {
    if (poolId) await lockCycle(tx, poolId);
  },
  async present(tx, order) {
    const { chainId, rules } = chain;
    const [line] = order.seen.lines;
    const found =
      line && (await store.lockDeposit(tx, order.poolId as string, line.subjectId, { chainId, ...rules }));
    return found?.state === 'queued' && found.waitingOrderId === order.id ? contentOf(found) : null;
  },
  async carryOut(tx, { poolId, seen }) {
    const [line] = seen.lines;
    const found = await lockReturnable(tx, chain, poolId as string, line?.subjectId as string);
    await giveBack(tx, chain, poolId as string, found);
  },
  async drop(tx, { seen }) {
    const [line] = seen.lines;
    if (line) await store.saveReturnOrder(tx, line.subjectId, null);
  },
});
