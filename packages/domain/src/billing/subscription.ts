/** The states of a subscription at the billing vendor (https://docs.stripe.com/billing/subscriptions/overview). */
export const BILLED_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type BilledStatus = (typeof BILLED_STATUSES)[number];

export const SUBSCRIPTION_INTERVALS = ['monthly', 'yearly'] as const;
export type SubscriptionInterval = (typeof SUBSCRIPTION_INTERVALS)[number];

/**
 * The plans that can be bought, in their order.
 * @param plans price in USD of each, as a decimal; null: it is not offered
 */
export const offeredPlans = (
  plans: Readonly<Record<SubscriptionInterval, string | null>>,
): [interval: SubscriptionInterval, usd: string][] =>
  SUBSCRIPTION_INTERVALS.flatMap((interval) => {
    const usd = plans[interval];
    return usd === null ? [] : [[interval, usd]];
  });

/** What a subscription is to us. */
export const SUBSCRIPTION_STATES = ['none', 'trialing', 'active', 'past_due', 'lapsed', 'canceled'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** What a plan sells. Nothing that touches the money of traders is in this list, ever. */
export const PLAN_FEATURES = ['exchange_bot'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/** About the last payment, whatever the status of the subscription. */
export const PAYMENT_NOTICES = ['refunded', 'disputed', 'dispute_lost'] as const;
export type PaymentNotice = (typeof PAYMENT_NOTICES)[number];

/** A subscription as it was last read at the vendor. */
export interface BilledSubscription {
  status: BilledStatus;
  currentPeriodEnd: Date;
  trialEnd: Date | null;
  /** When the oldest unpaid invoice was issued; null: all are paid. */
  unpaidSince: Date | null;
  endedAt: Date | null;
}

export interface SubscriptionAccess {
  state: SubscriptionState;
  /** Unpaid, and open until then; also after it has passed. */
  graceUntil: Date | null;
  /** When it closed; null: it is open, or there is none. */
  closedAt: Date | null;
  allows: readonly PlanFeature[];
}

const DAY_MS = 86_400_000;

/** Days for which an unpaid subscription stays open. */
export const BILLING_GRACE_DAYS = 7;

/** The states in which everything that a plan sells is open. */
const OPEN: ReadonlySet<SubscriptionState> = new Set(['trialing', 'active', 'past_due']);

/** Whether the vendor still bills it, so that a second one would be paid twice. */
export const isLive = (status: BilledStatus): boolean =>
  status !== 'canceled' && status !== 'incomplete_expired' && status !== 'incomplete';

/** A plan that is bought, or what is owed for the present one. */
export type Payable = 'plan' | 'unpaid';

/**
 * What can be paid for a community now: a plan, or what is unpaid of the one that it has; null: nothing.
 * @param subscription null: it never had one that the vendor bills
 */
export function payableOf(subscription: Pick<BilledSubscription, 'status'> | null): Payable | null {
  if (subscription === null || !isLive(subscription.status)) return 'plan';
  return subscription.status === 'past_due' || subscription.status === 'unpaid' ? 'unpaid' : null;
}

/**
 * What a community may do under its subscription.
 * @param subscription null: it never had one
 * @param graceDays days after the first unpaid invoice for which everything stays open
 */
export function subscriptionAccess(
  subscription: BilledSubscription | null,
  { now, graceDays }: { now: Date; graceDays: number },
): SubscriptionAccess {
  const { state, graceUntil = null, closedAt = null } = decide(subscription, now, graceDays);
  return { state, graceUntil, closedAt, allows: OPEN.has(state) ? PLAN_FEATURES : [] };
}

type Decided = Partial<SubscriptionAccess> & Pick<SubscriptionAccess, 'state'>;

function decide(subscription: BilledSubscription | null, now: Date, graceDays: number): Decided {
  if (subscription === null) return { state: 'none' };
  const { status, currentPeriodEnd, trialEnd, unpaidSince, endedAt } = subscription;
  const after = (from: Date) => new Date(from.getTime() + graceDays * DAY_MS);
  switch (status) {
    case 'incomplete':
    case 'incomplete_expired':
      return { state: 'none' };
    case 'canceled':
      return { state: 'canceled', closedAt: endedAt ?? currentPeriodEnd };
    case 'paused':
      return { state: 'lapsed', closedAt: trialEnd ?? currentPeriodEnd };
    case 'trialing':
    case 'active': {
      // Renewals take hours. After the grace period without news, nothing says that it was paid.
      const until = after(currentPeriodEnd);
      return now < until ? { state: status } : { state: 'lapsed', closedAt: until };
    }
    case 'past_due':
    case 'unpaid': {
      const graceUntil = after(unpaidSince ?? currentPeriodEnd);
      return now < graceUntil
        ? { state: 'past_due', graceUntil }
        : { state: 'lapsed', graceUntil, closedAt: graceUntil };
    }
  }
}
