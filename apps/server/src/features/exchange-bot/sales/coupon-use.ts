import {
  invoiceDiscounted,
  type PlatformWeights,
  planBotInvoice,
  priceWithCoupon,
  refuseCoupon,
} from '@copydesk/domain';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { type LockedSale, saveDiscount } from './sale-invoices.store.ts';
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
 * @throws ApiError `coupon_unknown`, `coupon_refused` with the reason
 */
export async function takeCoupon(
  tx: WriteTx,
  { botId, planId, traderId, priceUnits, code, now }: Use,
): Promise<{ id: string; code: string; amountUnits: bigint }> {
  const coupon = await lockCoupon(tx, botId, code);
  if (!coupon) throw new ApiError('coupon_unknown');
  const uses = await countUses(tx, coupon, traderId);
  const priced = priceWithCoupon(coupon, { now: now.getTime(), planId, amountUnits: priceUnits, ...uses });
  if (priced.refusal !== null)
    throw new ApiError('coupon_refused', {
      message: REASONS[priced.refusal],
      details: [{ path: 'coupon_code', message: priced.refusal }],
    });
  // A percentage of a tiny price may be less than a unit.
  if (priced.units === priceUnits)
    throw new ApiError('coupon_refused', { message: 'This coupon takes nothing off this price' });
  return { id: coupon.id, code: coupon.code, amountUnits: priced.units };
}

/**
 * Applies a coupon to a locked order: once, and before anything was paid.
 * @throws ApiError `sale_settled`, `sale_part_paid`, `coupon_applied`, `coupon_unknown`, `coupon_refused`
 */
export async function applyCoupon(
  tx: WriteTx,
  sale: LockedSale,
  { code, platformWeights, now }: { code: string; platformWeights: PlatformWeights; now: Date },
): Promise<void> {
  const refusal = refuseCoupon({ ...sale, hasCoupon: sale.couponId !== null });
  if (refusal) throw new ApiError(refusal);
  const coupon = await takeCoupon(tx, { ...sale, code, now });
  const discountUnits = sale.priceUnits - coupon.amountUnits;
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
