/** A coupon's terms. Exactly one of `percent` and `amountUnits` is set. */
export interface CouponTerms {
  /** Whole percent off, 1 to 99. */
  percent: number | null;
  /** Base units of USDT off. */
  amountUnits: bigint | null;
  /** Milliseconds since 1970; null: from the start. */
  startsAt: number | null;
  /** The first moment at which it is no longer valid; null: never. */
  endsAt: number | null;
  /** null: unlimited. */
  maxUses: number | null;
  maxUsesPerUser: number | null;
  /** None: every plan. */
  planIds: readonly string[];
}

export type CouponRefusal =
  | 'not_started'
  | 'ended'
  | 'used_up'
  | 'used_by_this_user'
  | 'other_plan'
  | 'nothing_left_to_pay';

export interface CouponUse {
  now: number;
  planId: string;
  /** Price of the plan, base units. */
  amountUnits: bigint;
  /** Invoices that carry the coupon and are not cancelled. */
  uses: number;
  usesOfUser: number;
}

/**
 * The price of a plan with a coupon, base units. A discount in percent is rounded down, so a part of a unit is never
 * given away. A coupon leaves something to pay: an invoice of zero could not be paid on chain.
 * @returns why the coupon cannot be used, else the price
 */
export function priceWithCoupon(
  coupon: CouponTerms,
  { now, planId, amountUnits, uses, usesOfUser }: CouponUse,
): { refusal: CouponRefusal } | { refusal: null; units: bigint } {
  const discount = coupon.amountUnits ?? (amountUnits * BigInt(coupon.percent ?? 0)) / 100n;
  const refusals: readonly [boolean, CouponRefusal][] = [
    [coupon.startsAt !== null && now < coupon.startsAt, 'not_started'],
    [coupon.endsAt !== null && now >= coupon.endsAt, 'ended'],
    [coupon.planIds.length > 0 && !coupon.planIds.includes(planId), 'other_plan'],
    [coupon.maxUses !== null && uses >= coupon.maxUses, 'used_up'],
    [coupon.maxUsesPerUser !== null && usesOfUser >= coupon.maxUsesPerUser, 'used_by_this_user'],
    [discount >= amountUnits, 'nothing_left_to_pay'],
  ];
  const refusal = refusals.find(([isSo]) => isSo)?.[1];
  return refusal ? { refusal } : { refusal: null, units: amountUnits - discount };
}

/** A coupon's code as it is stored: people type it in any case, with spaces around it. */
export const couponCode = (typed: string): string => typed.trim().toUpperCase();
