import { randomUUID } from 'node:crypto';
import type { OwnerPayment, PaymentLink } from '@copydesk/contract/billing';
import { offeredPlans, type Payable, payableOf, type SubscriptionInterval } from '@copydesk/domain/billing';
import { plainMessage } from '@copydesk/domain/messages';
import type { OwnerLinks } from '../../core/outbox/owner-link.ts';
import { queueOwnerMessage } from '../../core/outbox/queue-messages.store.ts';
import { renderPaymentLink, renderPaymentPage, renderPlan } from '../../core/outbox/render-payment-link.ts';
import { type Tx, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findCommunity } from '../communities/communities.views.ts';
import {
  type CheckoutDeps,
  openCheckout,
  refusing,
  requireBilling,
  requireOpen,
} from './checkout.service.ts';
import { findCustomer } from './customers.store.ts';
import { findLastLink, lockOwner } from './payment-link.store.ts';
import { findOwner, type Owner } from './reminders.store.ts';
import { findSubscription } from './subscriptions.views.ts';

export interface PaymentLinkDeps extends CheckoutDeps {
  links: OwnerLinks;
}

/** Without an account: the link is the only proof. */
const OWNER = { kind: 'system', id: 'community-owner', name: 'Community owner' } as const;
const NO_OWNER: Owner = { name: null, language: 'en', hasChat: false };

/** What the owner would be sent. @throws Refusal where nothing can be paid */
export async function describeLink(tx: Tx, deps: PaymentLinkDeps, communityId: string): Promise<PaymentLink> {
  const { text, owner } = await render(tx, deps, communityId);
  const last = await findLastLink(tx, communityId);
  return {
    owner: { name: owner.name, has_chat: owner.hasChat },
    language: owner.language,
    text: plainMessage(text),
    sent: last && { at: last.at.toISOString(), state: last.state, by: last.by },
  };
}

/** Sends the link, once within ten minutes for all callers together. @throws Refusal */
export async function sendLink(
  tx: WriteTx,
  deps: PaymentLinkDeps,
  communityId: string,
): Promise<PaymentLink> {
  await lockOwner(tx, communityId);
  const { text, owner } = await render(tx, deps, communityId);
  if (!owner.hasChat) throw new Refusal('owner_unreachable');
  if ((await findLastLink(tx, communityId))?.isRecent) throw new Refusal('reminded_lately');
  await queueOwnerMessage(tx, {
    communityId,
    kind: 'payment_link',
    language: owner.language,
    text,
    dedupeKey: `payment_link:${communityId}:${randomUUID()}`,
    isReachable: true,
  });
  tx.audit({
    action: 'subscription.link_sent',
    target: { kind: 'community', id: communityId },
    after: { language: owner.language },
  });
  return describeLink(tx, deps, communityId);
}

async function render(
  tx: Tx,
  deps: PaymentLinkDeps,
  communityId: string,
): Promise<{ text: string; owner: Owner }> {
  const { name: community } = await requireOpen(tx, communityId);
  requireBilling(deps.billing);
  const payable = await findPayable(tx, communityId);
  if (payable === null) throw new Refusal('already_subscribed');
  if (payable === 'plan' && offeredPlans(deps.plans()).length === 0) throw new Refusal('plan_unavailable');
  const owner = (await findOwner(tx, communityId)) ?? NO_OWNER;
  return {
    owner,
    text: renderPaymentLink({ community, payable, link: deps.links.urlOf(communityId) }, owner),
  };
}

/** The page behind the link; null: the community is gone. */
export async function findOwnerPayment(
  tx: Tx,
  deps: PaymentLinkDeps,
  communityId: string,
): Promise<OwnerPayment | null> {
  const community = await findCommunity(tx, communityId);
  if (!community) return null;
  const { language } = (await findOwner(tx, communityId)) ?? NO_OWNER;
  const payable = await findPayable(tx, communityId);
  const offered = payable === 'plan' ? offeredPlans(deps.plans()) : [];
  const isClosed =
    community.is_archived || deps.billing === null || (payable === 'plan' && offered.length === 0);
  return {
    language,
    state: isClosed ? 'over' : (payable ?? 'paid'),
    plans: isClosed
      ? []
      : offered.map(([interval, usd]) => ({ interval, label: renderPlan(interval, usd, language) })),
    words: renderPaymentPage(community.name, language),
  };
}

/**
 * Opens the page of the payment service for the owner: of a plan, or of the oldest unpaid invoice.
 * @param interval null: pays what is unpaid
 * @throws Refusal
 */
export async function openOwnerPage(
  deps: PaymentLinkDeps,
  {
    communityId,
    interval,
    requestId,
  }: {
    communityId: string;
    interval: SubscriptionInterval | null;
    requestId: string;
  },
): Promise<{ url: string }> {
  if (interval !== null) {
    const page = deps.links.urlOf(communityId);
    return openCheckout(
      deps,
      { scope: WHOLE_SCOPE, actor: { ...OWNER, requestId } },
      { communityId, interval, back: { paid: page.replace('#', '?paid=1#'), unpaid: page } },
    );
  }
  const customerId = await deps.db.read(WHOLE_SCOPE, async (tx) => {
    await requireOpen(tx, communityId);
    return findCustomer(tx, communityId);
  });
  const billing = requireBilling(deps.billing);
  const url = customerId && (await refusing(() => billing.findUnpaidInvoice(customerId)));
  if (!url) throw new Refusal('already_subscribed');
  return { url };
}

/** A subscription entered before Stripe was used is not billed by it. */
async function findPayable(tx: Tx, communityId: string): Promise<Payable | null> {
  const held = await findSubscription(tx, communityId);
  return payableOf(held?.subscriptionId ? held : null);
}
