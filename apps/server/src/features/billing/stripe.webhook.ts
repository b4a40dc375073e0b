import type { BillingEvent } from '@copydesk/contract/billing';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { requestSync, type SyncSubject } from '../../platform/work/sync-jobs.ts';
import { STRIPE_ACTOR } from './sync-customer.ts';

/** Events after which a subscription may have changed. docs/billing.md lists them for the operator. */
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

/**
 * Requests that a worker read the subscription again, and nothing else: the content of an event may be
 * outdated.
 */
export const createStripeWebhook = ({ db }: { db: Database }) => ({
  async 'POST /api/webhooks/stripe'({ event, requestId }: { event: BillingEvent; requestId: string }) {
    const subject = subjectOf(event);
    if (subject)
      await db.write(WHOLE_SCOPE, { ...STRIPE_ACTOR, requestId }, (tx) =>
        requestSync(tx, 'stripe-sync', subject),
      );
    return { success: true as const };
  },
});

function subjectOf({ type, data: { object } }: BillingEvent): SyncSubject | null {
  if (!HANDLED.has(type)) return null;
  const customer = idOf(object.customer);
  if (customer) return { kind: 'customer', id: customer };
  // A dispute has no customer of its own.
  const charge = idOf(object.charge);
  return charge ? { kind: 'charge', id: charge } : null;
}

const idOf = (reference: string | { id: string } | null | undefined) =>
  typeof reference === 'object' ? reference?.id : reference;
