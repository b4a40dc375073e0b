import { createSubscriptions, DEMO_PRICES, type DemoSubscription } from '../world/index.ts';
import type { BillingState, Invoice } from './billing-state.ts';

const DAY = 86_400;
const secondsOf = (time: Date) => Math.floor(time.getTime() / 1_000);

/** Begins an account with the subscriptions that the books of the demo world have. */
export function seedDemoBilling(state: BillingState, hour: Date): void {
  for (const subscription of createSubscriptions(hour)) seedOne(state, subscription);
}

function seedOne(state: BillingState, given: DemoSubscription): void {
  const { customerId, subscriptionId, communityId, status, interval } = given;
  const metadata = { community_id: communityId };
  const created = secondsOf(given.createdAt);
  const isOwing = status === 'past_due';
  state.customers[customerId] = {
    id: customerId,
    name: given.community,
    metadata,
    created,
    card: isOwing ? 'declines' : 'works',
  };
  const ids = subscriptionId.slice('sub_'.length);
  const invoice = status === 'trialing' ? null : invoiceOf(given, `in_${ids}`);
  const endedAt = given.endedAt === null ? null : secondsOf(given.endedAt);
  state.subscriptions[subscriptionId] = {
    id: subscriptionId,
    customer: customerId,
    price: DEMO_PRICES[interval].id,
    status,
    metadata: { ...metadata, interval },
    created,
    periodStart: secondsOf(given.periodStart),
    periodEnd: secondsOf(given.periodEnd),
    trialEnd: given.trialEnd === null ? null : secondsOf(given.trialEnd),
    hasWarnedOfTrial: false,
    cancelAtPeriodEnd: given.cancelAtPeriodEnd,
    canceledAt: given.cancelAtPeriodEnd ? created : endedAt,
    endedAt,
    latestInvoice: invoice?.id ?? null,
  };
  if (!invoice) return;
  state.invoices[invoice.id] = invoice;
  const id = `ch_${ids}`;
  const { amount, created: at } = invoice;
  state.charges[id] = {
    id,
    customer: customerId,
    amount,
    paid: !isOwing,
    refunded: false,
    disputed: false,
    created: at,
  };
}

function invoiceOf({ customerId, subscriptionId, ...given }: DemoSubscription, id: string): Invoice {
  const created = secondsOf(given.periodStart);
  const isOwing = given.unpaidSince !== null;
  return {
    id,
    customer: customerId,
    subscription: subscriptionId,
    amount: DEMO_PRICES[given.interval].amount,
    status: isOwing ? 'open' : 'paid',
    reason: 'subscription_cycle',
    created,
    periodStart: created,
    periodEnd: secondsOf(given.periodEnd),
    attempts: 1,
    nextAttempt: isOwing ? created + 3 * DAY : null,
    paidAt: isOwing ? null : created,
  };
}
