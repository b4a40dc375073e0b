import { BILLED_STATUSES, type BilledStatus, isLive, type PaymentNotice } from '@copydesk/domain/billing';
import type Stripe from 'stripe';
import { BillingError, type ReadCustomer, type ReadSubscription } from './gateway.ts';

/** A customer has few subscriptions, and few invoices are unpaid at once. */
const PAGE = 100;

/** Reads a customer with everything that decides about its subscription. */
export async function readCustomer(stripe: Stripe, customerId: string): Promise<ReadCustomer> {
  const customer = await stripe.customers.retrieve(customerId);
  const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: PAGE });
  const live = data.filter(({ status }) => isLive(statusOf(status)));
  const counted = latest(live) ?? latest(data);
  return {
    communityId: customer.deleted ? null : (customer.metadata.community_id ?? null),
    subscription: counted ? await readSubscription(stripe, counted) : null,
    liveCount: live.length,
    paymentNotice: await readNotice(stripe, customerId),
  };
}

const latest = (subscriptions: readonly Stripe.Subscription[]) =>
  subscriptions.toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))[0];

/** @throws BillingError for an unknown status, which this version of the API does not have */
function statusOf(status: string): BilledStatus {
  const known = BILLED_STATUSES.find((name) => name === status);
  if (!known) throw new BillingError('bad_response');
  return known;
}

async function readSubscription(stripe: Stripe, given: Stripe.Subscription): Promise<ReadSubscription> {
  const [item] = given.items.data;
  if (!item) throw new BillingError('bad_response');
  const status = statusOf(given.status);
  const isOwing = status === 'past_due' || status === 'unpaid' || status === 'canceled';
  return {
    id: given.id,
    status,
    interval: item.price.recurring?.interval === 'year' ? 'yearly' : 'monthly',
    currentPeriodEnd: timeOf(item.current_period_end),
    // In accounts with flexible billing the portal sets `cancel_at` instead.
    cancelAtPeriodEnd: given.cancel_at_period_end || given.cancel_at !== null,
    trialEnd: given.trial_end === null ? null : timeOf(given.trial_end),
    unpaidSince: isOwing ? await readUnpaidSince(stripe, given, timeOf(item.current_period_start)) : null,
    endedAt: given.ended_at === null ? null : timeOf(given.ended_at),
  };
}

/**
 * @param begun start of the present period: an unpaid subscription without an open invoice owes since then
 */
async function readUnpaidSince(
  stripe: Stripe,
  { id, status }: Stripe.Subscription,
  begun: Date,
): Promise<Date | null> {
  const { data } = await stripe.invoices.list({ subscription: id, status: 'open', limit: PAGE });
  const issued = data.map(({ created }) => created);
  if (issued.length > 0) return timeOf(Math.min(...issued));
  return status === 'canceled' ? null : begun;
}

async function readNotice(stripe: Stripe, customer: string): Promise<PaymentNotice | null> {
  const { data } = await stripe.charges.list({ customer, limit: 10 });
  const last = data.filter(({ paid }) => paid).toSorted((a, b) => b.created - a.created)[0];
  if (!last) return null;
  if (last.disputed) {
    const { data: disputes } = await stripe.disputes.list({ charge: last.id, limit: 1 });
    const status = disputes[0]?.status;
    if (status === 'lost') return 'dispute_lost';
    const isOver = status === 'won' || status === 'warning_closed' || status === 'prevented';
    if (status !== undefined && !isOver) return 'disputed';
  }
  return last.refunded ? 'refunded' : null;
}

const timeOf = (seconds: number) => new Date(seconds * 1_000);
