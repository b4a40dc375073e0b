import type { OrderContent } from '@copydesk/domain/access';
import { planBotInvoice, priceWithCoupon, refuseCoupon } from '@copydesk/domain/exchange-bot';
import type { PlatformWeights } from '@copydesk/domain/invoices';
import { invoiceDiscounted } from '@copydesk/domain/ledger';
import { requireNothingOnItsWay } from '../../../../core/chain/on-its-way.views.ts';
import { postJournals } from '../../../../core/ledger/ledger.service.ts';
import type { OrderAct } from '../../../../core/transfers/orders/order-act.ts';
import type { OrderRules, Waits } from '../../../../core/transfers/orders/place-order.ts';
import {
  orderWriteOff,
  type WrittenOff,
  writeOffContent,
} from '../../../../core/transfers/orders/write-off.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { type LockedSale, lockSales, saveDiscount } from './sale-invoices.store.ts';
import { countUses, lockCoupon, saveCoupon } from './sales.store.ts';

interface Use {
  botId: string;
  planId: string;
  traderId: string;
  priceUnits: bigint;
  code: string;
  now: Date;
}

const REASONS = {
  not_started: 'This coupon is not valid yet',
  ended: 'This coupon is no longer valid',
  used_up: 'This coupon has been used up',
  used_by_this_user: 'This buyer has used the coupon already',
  other_plan: 'This coupon is for other plans',
  nothing_left_to_pay: 'This coupon is worth the whole price or more',
} as const;

/**
 * Locks a coupon for an order and prices the order with it. The order has to be stored in the same transaction.
 * @throws Refusal `coupon_unknown`, `coupon_refused` with the reason
 */
export async function takeCoupon(
  tx: WriteTx,
  { botId, planId, traderId, priceUnits, code, now }: Use,
): Promise<{ id: string; code: string; amountUnits: bigint }> {
  const coupon = await lockCoupon(tx, botId, code);
  if (!coupon) throw new Refusal('coupon_unknown');
  const uses = await countUses(tx, coupon, traderId);
  const priced = priceWithCoupon(coupon, { now: now.getTime(), planId, amountUnits: priceUnits, ...uses });
  if (priced.refusal !== null)
    throw new Refusal('coupon_refused', {
      message: REASONS[priced.refusal],
      details: [{ path: 'coupon_code', message: priced.refusal }],
    });
  // A percentage of a tiny price may be less than a unit.
  if (priced.units === priceUnits)
    throw new Refusal('coupon_refused', { message: 'This coupon takes nothing off this price' });
  return { id: coupon.id, code: coupon.code, amountUnits: priced.units };
}

interface Applying {
  code: string;
  platformWeights: PlatformWeights;
  now: Date;
}

/** Prices a locked order with a coupon. @throws Refusal as `applyCoupon` */
async function priceSale(tx: WriteTx, sale: LockedSale, { code, now }: Pick<Applying, 'code' | 'now'>) {
  const refusal = refuseCoupon({ ...sale, hasCoupon: sale.couponId !== null });
  if (refusal) throw new Refusal(refusal);
  const coupon = await takeCoupon(tx, { ...sale, code, now });
  return { coupon, discountUnits: sale.priceUnits - coupon.amountUnits };
}

/**
 * Applies a coupon to a locked order: once, and before anything was paid. A buyer needs no approval for it,
 * because the buyer could also cancel and order again at the lower price.
 * @throws Refusal `sale_settled`, `sale_part_paid`, `coupon_applied`, `coupon_unknown`, `coupon_refused`
 */
export async function applyCoupon(
  tx: WriteTx,
  sale: LockedSale,
  { code, platformWeights, now }: Applying,
): Promise<void> {
  await requireNothingOnItsWay(tx, [sale.invoiceId]);
  const { coupon, discountUnits } = await priceSale(tx, sale, { code, now });
  const { communityPercentage } = sale;
  const terms = { platformWeights, communityPercentage, now };
  await saveDiscount(tx, sale.invoiceId, planBotInvoice(coupon.amountUnits, terms));
  await saveCoupon(tx, sale.invoiceId, { couponId: coupon.id, discountUnits });
  await postJournals(tx, [{ draft: invoiceDiscounted(sale, { units: discountUnits }) }]);
  tx.audit({
    action: 'invoice.discounted',
    target: { kind: 'invoice', id: sale.invoiceId },
    before: { amount_units: sale.amountUnits.toString() },
    after: { amount_units: coupon.amountUnits.toString(), coupon: coupon.code },
  });
}

/** The discount as an amount written off. */
const discountOf = (sale: LockedSale, discountUnits: bigint): WrittenOff => ({
  ...sale,
  amountUnits: discountUnits,
  paidUnits: 0n,
});

/**
 * Applies a coupon to an order on behalf of its buyer. One person can make a coupon of almost the whole
 * price, so the discount counts as written off by the person who applies it, and waits for another super
 * admin above the limit.
 * @throws Refusal as `applyCoupon`, and `order_waits`, `write_off_reason_required`
 */
export async function orderDiscount(
  tx: WriteTx,
  rules: OrderRules,
  sale: LockedSale,
  { reason, ...how }: Applying & { reason: string | undefined },
): Promise<Waits> {
  const { coupon, discountUnits } = await priceSale(tx, sale, how);
  const waits = await orderWriteOff(tx, rules, 'sale_discounted', {
    invoices: [discountOf(sale, discountUnits)],
    reason,
    facts: { coupon: coupon.code },
  });
  if (waits.order_id === null) await applyCoupon(tx, sale, how);
  return waits;
}

/** Applying a coupon to an order for its buyer, above what one person may write off. */
export const saleDiscountedAct = (platformWeights: () => PlatformWeights, now: () => Date): OrderAct => {
  const lockOne = async (tx: WriteTx, { lines, facts }: OrderContent) => {
    const [sale] = await lockSales(
      tx,
      lines.map(({ subjectId }) => subjectId),
    );
    return { sale, code: facts.coupon ?? '' };
  };
  return {
    gone: 'cannot have this coupon any more',
    async lock(tx, { seen }) {
      await lockOne(tx, seen);
    },
    async present(tx, { seen }) {
      const { sale, code } = await lockOne(tx, seen);
      if (!sale) return null;
      try {
        const { discountUnits } = await priceSale(tx, sale, { code, now: now() });
        return await writeOffContent(tx, [discountOf(sale, discountUnits)], seen.facts.reason, {
          coupon: code,
        });
      } catch (error) {
        // The coupon has ended or is used up, or the order was paid, cancelled or made cheaper by its buyer.
        if (error instanceof Refusal && error.code !== 'payment_on_its_way') return null;
        throw error;
      }
    },
    async carryOut(tx, { seen }) {
      const { sale, code } = await lockOne(tx, seen);
      if (sale) await applyCoupon(tx, sale, { code, platformWeights: platformWeights(), now: now() });
    },
  };
};
