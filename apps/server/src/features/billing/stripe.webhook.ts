import type { BillingEvent } from '@copydesk/contract/billing';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { type EventSubject, insertEvent } from './events.store.ts';
import { STRIPE_ACTOR } from './sync-customer.ts';

/** The events after which a subscription may be another. docs/billing.md lists them for the operator. */
const HANDLED: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
]);

/** Stores what Stripe sends, and does nothing else: a worker reads the subscription again. */
export const createStripeWebhook = ({ db }: { db: Database }) => ({
  async 'POST /api/webhooks/stripe'({ event, requestId }: { event: BillingEvent; requestId: string }) {
    const isNew = await db.write(WHOLE_SCOPE, { ...STRIPE_ACTOR, requestId }, (tx) =>
      insertEvent(tx, {
        id: event.id,
        type: event.type,
        happenedAt: new Date(event.created * 1_000),
        subject: subjectOf(event),
      }),
    );
    return { success: true as const, is_repeated: !isNew };
  },
});

function subjectOf({ type, data: { object } }: BillingEvent): EventSubject | null {
  if (!HANDLED.has(type)) return null;
  const customer = idOf(object.customer);
  if (customer) return { kind: 'customer', id: customer };
  // A dispute has no customer of its own.
  const charge = idOf(object.charge);
  return charge ? { kind: 'charge', id: charge } : null;
}

const idOf = (reference: string | { id: string } | null | undefined) =>
  typeof reference === 'object' ? reference?.id : reference;
