import type { BillingAccount } from './billing-account.ts';
import type { Charge, Invoice, Seconds, Session, Subscription } from './billing-state.ts';
import { SESSION_SECONDS } from './objects/checkout-session.ts';
import { periodAfter } from './prices.ts';

const DAY = 86_400;
const TRIAL_WARNING = 3 * DAY;
/** Days after the invoice on which a failed payment is tried again; after the last one the subscription is canceled. */
const DUNNING_DAYS = [3, 5, 7, 14];

/** Whether it is billed at present. */
export const isLive = ({ status }: Subscription) => status !== 'canceled';

/** Pays a checkout page. @returns false: the card was declined, and the page stays open */
export function completeSession(
  account: BillingAccount,
  session: Session,
  card: 'works' | 'declines',
): boolean {
  const { state, tell } = account;
  const customer = state.customers[session.customer];
  if (session.status !== 'open' || !customer || card === 'declines') return false;
  customer.card = card;
  const at = account.now();
  const price = account.priceOf(session.price);
  const trialEnd = session.trialDays > 0 ? at + session.trialDays * DAY : null;
  const subscription: Subscription = {
    id: account.id('sub'),
    customer: customer.id,
    price: price.id,
    status: trialEnd === null ? 'active' : 'trialing',
    metadata: session.subscriptionMetadata,
    created: at,
    periodStart: at,
    periodEnd: trialEnd ?? periodAfter(at, price),
    trialEnd,
    hasWarnedOfTrial: false,
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    latestInvoice: null,
  };
  state.subscriptions[subscription.id] = subscription;
  session.status = 'complete';
  session.subscription = subscription.id;
  const invoice = trialEnd === null ? issue(account, subscription, 'subscription_create', at) : null;
  if (invoice) settle(account, invoice, true);
  tell.subscription('customer.subscription.created', subscription);
  if (invoice) tell.invoice('invoice.paid', invoice);
  tell.session('checkout.session.completed', session);
  return true;
}

export function setCancelAtPeriodEnd(
  account: BillingAccount,
  subscription: Subscription,
  isSet: boolean,
): void {
  if (!isLive(subscription) || subscription.cancelAtPeriodEnd === isSet) return;
  subscription.cancelAtPeriodEnd = isSet;
  subscription.canceledAt = isSet ? account.now() : null;
  account.tell.subscription('customer.subscription.updated', subscription);
}

/** Ends a subscription at once. */
export function cancelNow(account: BillingAccount, subscription: Subscription, at = account.now()): void {
  if (!isLive(subscription)) return;
  Object.assign(subscription, { status: 'canceled', canceledAt: at, endedAt: at, cancelAtPeriodEnd: false });
  account.tell.subscription('customer.subscription.deleted', subscription);
}

/** Changes the interval. A new period begins, and is paid at once. */
export function switchPrice(account: BillingAccount, subscription: Subscription, priceId: string): void {
  const price = account.priceOf(priceId);
  if (!isLive(subscription) || subscription.price === price.id) return;
  subscription.price = price.id;
  if (subscription.status !== 'trialing') {
    const at = account.now();
    subscription.periodStart = at;
    subscription.periodEnd = periodAfter(at, price);
    account.tell.subscription('customer.subscription.updated', subscription);
    tryToPay(account, subscription, issue(account, subscription, 'subscription_update', at), at);
    return;
  }
  account.tell.subscription('customer.subscription.updated', subscription);
}

/** Does everything that has fallen due since the last call, in order. */
export function catchUp(account: BillingAccount): void {
  const { state } = account;
  const until = account.now();
  for (const session of Object.values(state.sessions))
    if (session.status === 'open' && session.created + SESSION_SECONDS <= until) session.status = 'expired';
  for (const subscription of Object.values(state.subscriptions))
    while (takeStep(account, subscription, until));
}

/** The next thing that happens to a subscription. @returns whether there was one */
function takeStep(account: BillingAccount, subscription: Subscription, until: Seconds): boolean {
  if (!isLive(subscription) || subscription.status === 'paused') return false;
  const { state, tell } = account;
  const { trialEnd, status, periodEnd } = subscription;
  if (
    status === 'trialing' &&
    trialEnd !== null &&
    !subscription.hasWarnedOfTrial &&
    trialEnd - TRIAL_WARNING <= until
  ) {
    subscription.hasWarnedOfTrial = true;
    tell.subscription('customer.subscription.trial_will_end', subscription);
    return true;
  }
  const retry = Object.values(state.invoices)
    .filter(({ subscription: of, nextAttempt }) => of === subscription.id && nextAttempt !== null)
    .sort((a, b) => (a.nextAttempt ?? 0) - (b.nextAttempt ?? 0))[0];
  const retryAt = retry?.nextAttempt ?? Number.POSITIVE_INFINITY;
  if (retry && retryAt <= until && retryAt <= periodEnd) {
    tryToPay(account, subscription, retry, retryAt);
    return true;
  }
  if (periodEnd > until) return false;
  if (subscription.cancelAtPeriodEnd) {
    cancelNow(account, subscription, periodEnd);
    return true;
  }
  subscription.periodStart = periodEnd;
  subscription.periodEnd = periodAfter(periodEnd, account.priceOf(subscription.price));
  const invoice = issue(account, subscription, 'subscription_cycle', periodEnd);
  if (status === 'trialing') subscription.status = 'active';
  tell.subscription('customer.subscription.updated', subscription);
  tryToPay(account, subscription, invoice, periodEnd);
  return true;
}

function issue(
  account: BillingAccount,
  subscription: Subscription,
  reason: Invoice['reason'],
  at: Seconds,
): Invoice {
  const invoice: Invoice = {
    id: account.id('in'),
    customer: subscription.customer,
    subscription: subscription.id,
    amount: account.priceOf(subscription.price).amount,
    status: 'open',
    reason,
    created: at,
    periodStart: subscription.periodStart,
    periodEnd: subscription.periodEnd,
    attempts: 0,
    nextAttempt: null,
    paidAt: null,
  };
  account.state.invoices[invoice.id] = invoice;
  subscription.latestInvoice = invoice.id;
  return invoice;
}

/** Pays what is open, as a person does who has entered another card. */
export function payOpenInvoices(account: BillingAccount, customerId: string): void {
  for (const invoice of Object.values(account.state.invoices)) {
    const subscription = account.state.subscriptions[invoice.subscription];
    if (invoice.customer === customerId && invoice.status === 'open' && subscription)
      tryToPay(account, subscription, invoice, account.now());
  }
}

function tryToPay(account: BillingAccount, subscription: Subscription, invoice: Invoice, at: Seconds): void {
  const { state, tell } = account;
  const works = state.customers[invoice.customer]?.card !== 'declines';
  settle(account, invoice, works, at);
  if (works) {
    tell.invoice('invoice.paid', invoice);
    const isOwing = Object.values(state.invoices).some(
      (other) => other.subscription === subscription.id && other.status === 'open',
    );
    if (subscription.status === 'past_due' && !isOwing) {
      subscription.status = 'active';
      tell.subscription('customer.subscription.updated', subscription);
    }
    return;
  }
  const wait = DUNNING_DAYS[invoice.attempts - 1];
  invoice.nextAttempt = wait === undefined ? null : invoice.created + wait * DAY;
  tell.invoice('invoice.payment_failed', invoice);
  if (wait === undefined) cancelNow(account, subscription, at);
  else if (subscription.status !== 'past_due') {
    subscription.status = 'past_due';
    tell.subscription('customer.subscription.updated', subscription);
  }
}

/** Makes the charge of an attempt. */
function settle(account: BillingAccount, invoice: Invoice, paid: boolean, at = account.now()): void {
  const { customer, amount } = invoice;
  const id = account.id('ch');
  const charge: Charge = { id, customer, amount, paid, refunded: false, disputed: false, created: at };
  account.state.charges[id] = charge;
  invoice.attempts += 1;
  invoice.nextAttempt = null;
  if (paid) Object.assign(invoice, { status: 'paid', paidAt: at });
}
