import { planPayload, priceWithCoupon } from '@copydesk/domain/exchange-bot';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { formatCount } from '../../lib/format/numbers.ts';
import { formatUsdt } from '../../lib/format/usdt.ts';
import { formatDay } from '../../lib/format/zone-time.ts';
import type { Bot, Coupon, Plan } from './bot-queries.ts';

export const daysWords = (days: number) => (days === 1 ? '1 day' : `${formatCount(days)} days`);

export const discountWords = ({ percent, amount }: Pick<Coupon, 'percent' | 'amount'>) =>
  amount === null ? `${percent ?? 0}% off` : `${formatUsdt(amount)} USDT off`;

/** The days on which a coupon is valid, of UTC. */
export function periodWords({ starts_at: from, ends_at: to }: Pick<Coupon, 'starts_at' | 'ends_at'>): string {
  // The end is the first moment after the last day.
  const last = to && formatDay(new Date(Date.parse(to) - 1).toISOString());
  if (from && last) return `${formatDay(from)} to ${last}`;
  if (from) return `From ${formatDay(from)}`;
  return last ? `Until ${last}` : 'Always';
}

/** Whether a coupon is valid at a moment, as far as its period says. */
export function couponState(
  { starts_at: from, ends_at: to }: Pick<Coupon, 'starts_at' | 'ends_at'>,
  now: Date,
): 'scheduled' | 'valid' | 'ended' {
  if (from && now < new Date(from)) return 'scheduled';
  return to && now >= new Date(to) ? 'ended' : 'valid';
}

/** How often a coupon was used, and how often it may be. Uses are counted up to 10,000. */
export function usesWords({ uses, max_uses }: Pick<Coupon, 'uses' | 'max_uses'>): string {
  const used = uses >= 10_000 ? '10,000+' : formatCount(uses);
  return max_uses === null ? used : `${used} of ${formatCount(max_uses)}`;
}

export const limitWords = (limit: number | null) => (limit === null ? 'Unlimited' : formatCount(limit));

/** The price of a plan under a new coupon; null when the coupon would leave nothing to pay. */
export function reducedPrice(plan: Plan, discount: Pick<Coupon, 'percent' | 'amount'>): string | null {
  const amountUnits = decimalToUnits(plan.amount);
  if (amountUnits === null) return null;
  const price = priceWithCoupon(
    {
      percent: discount.percent,
      amountUnits: discount.amount === null ? null : decimalToUnits(discount.amount),
      startsAt: null,
      endsAt: null,
      maxUses: null,
      maxUsesPerUser: null,
      planIds: [],
    },
    { now: 0, planId: plan.id, amountUnits, uses: 0, usesOfUser: 0 },
  );
  return price.refusal === null ? unitsToDecimal(price.units) : null;
}

/** The link that opens a plan in the chat with the bot. */
export const planLink = ({ username }: Pick<Bot, 'username'>, { id }: Pick<Plan, 'id'>): string =>
  `https://t.me/${username}?start=${planPayload(id)}`;
