import type { OrderContent } from '@copydesk/domain/access';
import { decimalToUnits } from '@copydesk/domain/money';
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
import { findLastPaid, tipInvoice } from './payments.service.ts';
import { type Credit, lockCredit } from './payments.store.ts';

/**
 * Orders that what no invoice took of a payment becomes a tip. It is shared as every tip, on the invoice that the trader
 * paid last.
 * @param seen.amount the credit as its author saw it, USDT
 * @throws Refusal `not_found`, `credit_changed`, `nothing_paid_yet`, `order_waits`, `person_required`
 */
export async function orderTip(
  tx: WriteTx,
  rules: OrderRules,
  paymentId: string,
  { amount, reason }: { amount: string; reason: string },
): Promise<Waits> {
  const credit = await lockCredit(tx, paymentId);
  if (!credit) throw new Refusal('not_found');
  if (decimalToUnits(amount) !== credit.units) throw new Refusal('credit_changed');
  if (!(await findLastPaid(tx, credit.traderId))) throw new Refusal('nothing_paid_yet');
  if (await isWaiting(tx, paymentId)) throw new Refusal('order_waits');
  const placed = await placeOrder(tx, rules, {
    act: 'credit_tipped',
    communityId: credit.communityId,
    poolId: null,
    units: credit.units,
    traderIds: [],
    content: contentOf(credit, reason),
  });
  if (placed.needs.length === 0) await tip(tx, credit, reason);
  return waitsFor(placed);
}

const contentOf = ({ paymentId, traderLabel, units }: Credit, reason: string): OrderContent => ({
  lines: [{ subjectId: paymentId, label: `Credit of ${traderLabel}`, toAddress: null, units }],
  facts: { reason },
});

async function tip(tx: WriteTx, { paymentId, traderId, units }: Credit, reason: string): Promise<void> {
  const invoice = await findLastPaid(tx, traderId);
  if (!invoice) throw new Refusal('nothing_paid_yet');
  await tipInvoice(tx, { paymentId, units }, invoice);
  tx.audit({
    action: 'payment.credit_tipped',
    target: { kind: 'trader', id: traderId },
    after: { payment_id: paymentId, units: units.toString(), invoice_id: invoice.invoiceId, reason },
  });
}

const lockOf = (tx: WriteTx, { lines }: OrderContent) => lockCredit(tx, lines[0]?.subjectId as string);

/** Turning credit into a tip, above what one person may order. */
export const tipAct: OrderAct = {
  gone: 'is not open any more',
  async lock(tx, { seen }) {
    await lockOf(tx, seen);
  },
  async present(tx, { seen }) {
    const credit = await lockOf(tx, seen);
    return credit && contentOf(credit, seen.facts.reason ?? '');
  },
  async carryOut(tx, { seen }) {
    const credit = await lockOf(tx, seen);
    if (credit) await tip(tx, credit, seen.facts.reason ?? '');
  },
};
