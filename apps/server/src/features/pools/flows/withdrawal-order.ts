import type { OrderContent } from '@copydesk/domain/access';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import { type StoredOrder, voidOrders } from '../../../core/transfers/orders/orders.store.ts';
import {
  type OrderRules,
  placeOrder,
  type Waits,
  waitsFor,
} from '../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockCycle } from '../harvest/cycles.store.ts';
import * as store from './requests.store.ts';

/**
 * Orders queued withdrawals of a pool, as one order. The caller has locked its cycle.
 * @throws Refusal `invalid_flow_status`, `order_waits`
 */
export async function orderWithdrawals(
  tx: WriteTx,
  rules: OrderRules,
  poolId: string,
  ids: readonly string[],
): Promise<Waits> {
  const found = await store.lockOrderable(tx, poolId, ids);
  if (found.length < ids.length) throw new Refusal('invalid_flow_status');
  if (found.some(({ orderState }) => orderState === 'awaiting_approval')) throw new Refusal('order_waits');
  const placed = await placeOrder(tx, rules, {
    act: 'pool_withdrawals',
    communityId: await store.findCommunity(tx, poolId),
    poolId,
    units: found.reduce((sum, { countedUnits }) => sum + countedUnits, 0n),
    traderIds: found.map(({ traderId }) => traderId),
    content: contentOf(found),
  });
  await store.saveOrder(tx, ids, placed.id);
  const earlier = [...new Set(found.flatMap(({ orderId }) => orderId ?? []))];
  await voidOrders(tx, await store.listEmptyOrders(tx, earlier));
  return waitsFor(placed);
}

const contentOf = (withdrawals: readonly store.OrderableWithdrawal[]): OrderContent => ({
  lines: withdrawals.map(({ id, label, toAddress, units }) => ({ subjectId: id, label, toAddress, units })),
  facts: {},
});

const idsOf = ({ seen }: StoredOrder) => seen.lines.map(({ subjectId }) => subjectId);

/** Withdrawals of members. The worker pays what is approved while the pool is open. */
export const withdrawalsAct: OrderAct = {
  async lock(tx, { poolId }) {
    if (poolId) await lockCycle(tx, poolId);
  },
  /** A withdrawal that was cancelled meanwhile is left out: the others continue. */
  async present(tx, order) {
    const found = await store.lockOrderable(tx, order.poolId as string, idsOf(order));
    const own = found.filter(({ orderId }) => orderId === order.id);
    if (own.length === 0) return null;
    const present = new Set(own.map(({ id }) => id));
    const gone = order.seen.lines.filter(({ subjectId }) => !present.has(subjectId));
    return { ...contentOf(own), lines: [...contentOf(own).lines, ...gone] };
  },
  async carryOut(tx, { poolId }) {
    const cycle = await lockCycle(tx, poolId as string);
    if (cycle) await store.wakeCycle(tx, cycle.id);
  },
  async drop(tx, order) {
    const found = await store.lockOrderable(tx, order.poolId as string, idsOf(order));
    const own = found.filter(({ orderId }) => orderId === order.id);
    await store.recordCancelled(
      tx,
      own.map(({ id }) => id),
    );
  },
};
