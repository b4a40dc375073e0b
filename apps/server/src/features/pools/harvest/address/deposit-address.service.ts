import type { PayoutRules } from '../../../../core/settings/payout-rules.ts';
import type { OrderAct } from '../../../../core/transfers/orders/order-act.ts';
import { hasWaitingOrder, setFundingAddress } from '../../../../core/transfers/orders/orders.store.ts';
import {
  type OrderRules,
  placeOrder,
  type Waits,
  waitsFor,
} from '../../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';

import { lockSeen } from '../act-on-cycle.service.ts';
import type { CycleRow } from '../cycles.store.ts';

/**
 * Orders the address at the exchange that funding goes to. Another super admin approves it, and it is usable
 * after the waiting time of payout addresses: otherwise one person could redirect a pool's money.
 * @throws Refusal `not_found`, `order_waits`, `deposit_address_differs` when the exchange shows another one
 */
export async function orderDepositAddress(
  tx: WriteTx,
  rules: OrderRules,
  poolId: string,
  address: string,
): Promise<Waits> {
  const { address: known, communityId } = await lockSeen(tx, poolId);
  const isSame = (other: string | null) => other?.toLowerCase() === address.toLowerCase();
  if (isSame(known.approved)) return { state: 'done', order_id: null };
  if (known.read !== null && !isSame(known.read)) throw new Refusal('deposit_address_differs');
  if (await hasWaitingOrder(tx, poolId, 'pool_funding_address')) throw new Refusal('order_waits');
  const content = contentOf(poolId, address, known);
  const order = { act: 'pool_funding_address', communityId, poolId, units: 0n } as const;
  return waitsFor(await placeOrder(tx, rules, { ...order, traderIds: [], content }));
}

const contentOf = (poolId: string, toAddress: string | null, known: CycleRow['address']) => ({
  lines: [{ subjectId: poolId, label: 'the pool', toAddress, units: null }],
  facts: {
    present_address: known.approved ?? 'none',
    address_at_the_exchange: known.read ?? 'not readable',
  },
});

/** Where funding of a pool goes. */
export const fundingAddressAct = (rules: Pick<PayoutRules, 'addressHoldHours'>): OrderAct => ({
  async lock(tx, { poolId }) {
    await lockSeen(tx, poolId as string);
  },
  async present(tx, { poolId, seen }) {
    const { address } = await lockSeen(tx, poolId as string);
    return contentOf(poolId as string, seen.lines[0]?.toAddress ?? null, address);
  },
  async carryOut(tx, { id, poolId, seen }) {
    await setFundingAddress(tx, id, rules.addressHoldHours);
    tx.audit({
      action: 'pool.deposit_address_set',
      target: { kind: 'pool', id: poolId as string },
      before: { bybit_deposit_address: seen.facts.present_address ?? null },
      after: { bybit_deposit_address: seen.lines[0]?.toAddress ?? null, order_id: id },
    });
  },
});
