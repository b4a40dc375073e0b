import { randomUUIDv7 } from 'node:crypto';
import type { OrderContent } from '@copydesk/domain/access';
import { ledgerAccount } from '@copydesk/domain/ledger';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { reserveAll } from '../../../core/ledger/reservations.service.ts';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import { refuseTokens } from '../../../core/transfers/addresses/held.views.ts';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import { openDepositWallets } from '../../../core/transfers/open-wallets.store.ts';
import { type OrderPlace, orderCreditReturn } from '../../../core/transfers/ordered-transfers.store.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import { isWaiting } from '../../../core/transfers/orders/orders.store.ts';
import {
  type OrderRules,
  placeOrder,
  type Waits,
  waitsFor,
} from '../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findCommunityOf, findReturnFacts, type ReturnFacts } from './credit-returns.store.ts';
import { type Credit, lockCredit } from './payments.store.ts';

/** Where credit is sent back: the chain and the token of the books, and the rules of payouts. */
export interface ReturnPlace extends OrderPlace {
  rules: Pick<PayoutRules, 'addressHoldHours' | 'maximumUnits'>;
}

type Addressed = Credit & { toAddress: string | null };
/** Credit that can be sent back. */
type Returnable = Credit & { toAddress: string };

/**
 * Orders that what no invoice took of a payment is sent from the deposit address back to its trader.
 * @param seen.amount the credit as its author saw it, USDT
 * @param seen.to_address the payout address as its author saw it
 * @throws Refusal `not_found`, `credit_changed`, `credit_not_on_chain`, `no_payout_address`, `address_held`,
 * `address_is_token`, `wallet_not_ready`, `above_maximum`, `order_waits`, `person_required`
 */
export async function returnCredit(
  tx: WriteTx,
  { chain, ...rules }: OrderRules & { chain: ReturnPlace },
  paymentId: string,
  { amount, to_address, reason }: { amount: string; to_address: string; reason: string },
): Promise<Waits> {
  const credit = await lockReturnable(tx, chain, paymentId);
  if (!credit) throw new Refusal('not_found');
  if (decimalToUnits(amount) !== credit.units) throw new Refusal('credit_changed');
  if (to_address.toLowerCase() !== credit.toAddress.toLowerCase()) throw new Refusal('credit_changed');
  if (await isWaiting(tx, paymentId)) throw new Refusal('order_waits');
  const placed = await placeOrder(tx, rules, {
    act: 'credit_returned',
    communityId: credit.communityId,
    poolId: null,
    units: credit.units,
    traderIds: [credit.traderId],
    content: contentOf(credit, reason),
  });
  if (placed.needs.length === 0) await sendBack(tx, chain, credit, { orderId: placed.id, reason });
  return waitsFor(placed);
}

const contentOf = (
  { paymentId, traderLabel, toAddress, units }: Addressed,
  reason: string,
): OrderContent => ({
  lines: [{ subjectId: paymentId, label: `Credit of ${traderLabel}`, toAddress, units }],
  facts: { reason },
});

/**
 * The credit of a payment, locked with its trader and the trader's community; null: nothing is open of it. The lock order
 * is that of payouts: community, then trader.
 */
async function lockAddressed(
  tx: WriteTx,
  { rules: { addressHoldHours } }: ReturnPlace,
  paymentId: string,
): Promise<(Addressed & ReturnFacts) | null> {
  const communityId = await findCommunityOf(tx, paymentId);
  if (communityId) await lockCommunities(tx, [communityId]);
  const credit = await lockCredit(tx, paymentId);
  return credit && { ...credit, ...(await findReturnFacts(tx, paymentId, addressHoldHours)) };
}

async function lockReturnable(
  tx: WriteTx,
  chain: ReturnPlace,
  paymentId: string,
): Promise<Returnable | null> {
  const { maximumUnits } = chain.rules;
  const credit = await lockAddressed(tx, chain, paymentId);
  if (!credit) return null;
  const { toAddress, isHeld, isOnChain } = credit;
  if (!isOnChain) throw new Refusal('credit_not_on_chain');
  if (!toAddress) throw new Refusal('no_payout_address');
  if (isHeld) throw new Refusal('address_held');
  await refuseTokens(tx, [toAddress]);
  if (maximumUnits !== null && credit.units > maximumUnits)
    throw new Refusal('above_maximum', {
      message: `One transfer is ${unitsToDecimal(maximumUnits)} USDT at most. Make the credit a tip, or raise the limit.`,
    });
  return { ...credit, toAddress };
}

async function sendBack(
  tx: WriteTx,
  chain: ReturnPlace,
  { paymentId, traderId, toAddress, units }: Returnable,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<void> {
  if (!(await openDepositWallets(tx, chain.chainId, [traderId])).has(traderId))
    throw new Refusal('wallet_not_ready');
  const id = randomUUIDv7();
  await orderCreditReturn(tx, chain, { id, orderId });
  const source = { type: 'transfer', id };
  await reserveAll(tx, [{ source, account: ledgerAccount.depositWallet(traderId), units }]);
  tx.audit({
    action: 'payment.credit_return_ordered',
    target: { kind: 'trader', id: traderId },
    after: { payment_id: paymentId, to: toAddress, units: units.toString(), reason },
  });
}

/** Sending credit back, above what one person may order. */
export const creditReturnAct = (chain: ReturnPlace): OrderAct => {
  const paymentOf = ({ lines }: OrderContent) => lines[0]?.subjectId as string;
  return {
    gone: 'is not open any more',
    async lock(tx, { seen }) {
      await lockAddressed(tx, chain, paymentOf(seen));
    },
    async present(tx, { seen }) {
      const credit = await lockAddressed(tx, chain, paymentOf(seen));
      return credit && contentOf(credit, seen.facts.reason ?? '');
    },
    async carryOut(tx, { id, seen }) {
      const credit = await lockReturnable(tx, chain, paymentOf(seen));
      if (credit) await sendBack(tx, chain, credit, { orderId: id, reason: seen.facts.reason ?? '' });
    },
  };
};
