import type { Scope } from '@copydesk/domain/access';
import { isLive, type SubscriptionInterval } from '@copydesk/domain/billing';
import type { PlatformSettings } from '@copydesk/domain/settings';
import { BillingError, type BillingGateway } from '../../integrations/billing/gateway.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import type { Database, Tx, WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type CommunityRow, findCommunity } from '../communities/communities.views.ts';
import { findCustomer, forgetIntent, intendCustomer, saveCustomer } from './customers.store.ts';
import { findSubscription } from './subscriptions.views.ts';

export interface CheckoutDeps {
  db: Database;
  /** Null: not set up. */
  billing: BillingGateway | null;
  /** Origins of the console, the public one first. */
  origins: readonly [string, ...string[]];
  plans: () => PlatformSettings['community_plans'];
}

/** The `Origin` of the request. */
type From = string | undefined;

interface Caller {
  scope: Scope;
  actor: Actor;
}

/** Where the page of the payment service leads back to. */
export interface WayBack {
  paid: string;
  unpaid: string;
}

/**
 * Opens the page where a community subscribes, outside of any transaction: the payment service may be slow. Each step
 * may be repeated, and a crash between two of them leaves nothing that could be paid twice: the page is one, whoever
 * opens it, and its address is given out only after the customer behind it is stored.
 * @throws Refusal `not_found`, `community_archived`, `billing_not_configured`, `already_subscribed`,
 * `plan_unavailable`, `checkout_under_way`, `billing_unavailable`
 */
export async function openCheckout(
  deps: CheckoutDeps,
  caller: Caller,
  { communityId, interval, back }: { communityId: string; interval: SubscriptionInterval; back: WayBack },
): Promise<{ url: string }> {
  const name = await deps.db.read(caller.scope, async (tx) => {
    const found = await requireOpen(tx, communityId);
    requireBilling(deps.billing);
    const held = await findSubscription(tx, communityId);
    if (held?.subscriptionId && isLive(held.status)) throw new Refusal('already_subscribed');
    return found.name;
  });
  const billing = requireBilling(deps.billing);
  return refusing(async () => {
    await requirePrice(billing, interval, deps.plans()[interval]);
    const customerId = await customerOf({ ...deps, billing }, caller, { id: communityId, name });
    const url = await billing.openCheckout({
      customerId,
      communityId,
      interval,
      successUrl: back.paid,
      cancelUrl: back.unpaid,
    });
    // The customer has just subscribed, but the event may not have arrived yet.
    if (url === null) throw new Refusal('already_subscribed');
    return { url };
  });
}

/** Records an opened page, unless the community was archived or deleted meanwhile. @throws Refusal */
export async function recordCheckout(
  tx: WriteTx,
  { communityId, interval }: { communityId: string; interval: SubscriptionInterval },
): Promise<void> {
  await requireOpen(tx, communityId);
  tx.audit({
    action: 'subscription.checkout_opened',
    target: { kind: 'community', id: communityId },
    after: { interval },
  });
}

export async function requireOpen(tx: Tx, communityId: string): Promise<CommunityRow> {
  const community = await findCommunity(tx, communityId);
  if (!community) throw new Refusal('not_found');
  if (community.is_archived)
    throw new Refusal('community_archived', { message: 'This community is archived' });
  return community;
}

/** Opens the page where a subscription is changed or canceled. @throws Refusal */
export async function openPortal(
  deps: CheckoutDeps,
  scope: Scope,
  { communityId, from }: { communityId: string; from: From },
): Promise<{ url: string }> {
  const customerId = await deps.db.read(scope, async (tx) => {
    if (!(await findCommunity(tx, communityId))) throw new Refusal('not_found');
    return findCustomer(tx, communityId);
  });
  const billing = requireBilling(deps.billing);
  if (customerId === null) throw new Refusal('no_customer');
  return refusing(async () => ({
    url: await billing.openPortal(customerId, pageOf(deps, communityId, from)),
  }));
}

/**
 * The customer of a community, created on the first call. The intent is stored before, and the customer right after: a
 * crash between leaves the intent, which the next call or the daily comparison finishes with the same customer.
 */
export async function customerOf(
  { db, billing }: { db: Database; billing: BillingGateway },
  { scope, actor }: Caller,
  community: { id: string; name: string },
): Promise<string> {
  const { id: communityId } = community;
  const begun = await db.write(scope, actor, async (tx) => {
    const known = await findCustomer(tx, communityId);
    if (known !== null) return { known };
    const name = await intendCustomer(tx, { communityId, name: community.name });
    // Another call has ended the intent that this one found, and stored the customer.
    return { known: name === null ? await findCustomer(tx, communityId) : null, name };
  });
  if (begun.known !== null) return begun.known;
  if (!begun.name) throw new Refusal('not_found');
  const customerId = await billing.createCustomer({ id: communityId, name: begun.name });
  return db.write(scope, actor, async (tx) => {
    const stored = await saveCustomer(tx, { communityId, customerId });
    if (stored === null) throw new Refusal('not_found');
    await forgetIntent(tx, communityId);
    return stored;
  });
}

/** People come back to the subscription, at the address where they are signed in, if it is one of ours. */
function pageOf({ origins }: CheckoutDeps, communityId: string, from: From): string {
  const origin = origins.find((one) => one === from) ?? origins[0];
  return `${origin}/community-settings/${communityId}?tab=settings`;
}

export function wayBackOf(deps: CheckoutDeps, communityId: string, from: From): WayBack {
  const page = pageOf(deps, communityId, from);
  return { paid: `${page}&checkout=done`, unpaid: page };
}

/** The price that people saw is the price that is charged. */
async function requirePrice(
  billing: BillingGateway,
  interval: SubscriptionInterval,
  shown: string | null,
): Promise<void> {
  if (shown === null) throw new Refusal('plan_unavailable');
  const price = await billing.readPrice(interval);
  const [whole = '0', cents = ''] = shown.split('.');
  const isSame =
    price.isActive &&
    price.interval === interval &&
    price.currency === 'usd' &&
    price.amount !== null &&
    BigInt(price.amount) === BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'));
  if (!isSame)
    throw new Refusal('plan_unavailable', {
      message:
        'The price at the payment service is not the one in the settings of the platform. Correct either of them first.',
    });
}

export function requireBilling(billing: BillingGateway | null): BillingGateway {
  if (billing === null) throw new Refusal('billing_not_configured');
  return billing;
}

/** Answers of the payment service that people may see. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    throw new Refusal(error.code === 'conflict' ? 'checkout_under_way' : 'billing_unavailable');
  }
}
