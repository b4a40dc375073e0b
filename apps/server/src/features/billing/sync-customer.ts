import { isDeepStrictEqual } from 'node:util';
import { BillingError, type BillingGateway, type ReadCustomer } from '../../integrations/billing/gateway.ts';
import type { Actor, AuditValue } from '../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Sync } from '../../platform/work/sync-jobs.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { findCommunityOfCustomer, saveCustomer } from './customers.store.ts';
import { lockCommunity, nextReadNumber, saveSubscription } from './subscriptions.store.ts';
import { findSubscription, type StoredSubscription } from './subscriptions.views.ts';

/** The actor of changes that happened at the payment service. */
export const STRIPE_ACTOR = { kind: 'service', id: 'stripe', name: 'Stripe' } as const satisfies Actor;

export interface SyncDeps {
  db: Database;
  billing: BillingGateway;
  log: Logger;
  now: () => Date;
}

/** `unknown`: no community of ours has this customer. */
export type SyncOutcome = 'changed' | 'unchanged' | 'unknown';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads a customer at the payment service and writes what it says. The read is numbered before it begins, so of several
 * at once the one that began last is kept, whatever order they end in: it has seen everything that the others have.
 * @param audited the action that an entry names, and its author
 * @throws BillingError
 */
export async function syncCustomer(
  deps: SyncDeps,
  customerId: string,
  audited: { action: string; actor: Actor } = { action: 'subscription.changed', actor: STRIPE_ACTOR },
): Promise<SyncOutcome> {
  const { db, billing, log, now } = deps;
  const number = await db.write(WHOLE_SCOPE, WORKER_ACTOR, nextReadNumber);
  const at = now();
  const read = await billing.readCustomer(customerId);
  return db.write(WHOLE_SCOPE, audited.actor, async (tx) => {
    const communityId = await communityOf(tx, customerId, read);
    if (communityId === null || !(await lockCommunity(tx, communityId))) return 'unknown';
    const before = await findSubscription(tx, communityId);
    const { subscription, liveCount } = read;
    if (!subscription) {
      if (before?.subscriptionId)
        log.error({ communityId, customerId }, 'a stored subscription is unknown to the payment service');
      return 'unchanged';
    }
    if (liveCount > 1)
      log.error({ communityId, customerId, liveCount }, 'a community pays for more than one subscription');
    if (!(await saveSubscription(tx, communityId, { ...read, subscription, at, number }))) return 'unchanged';
    const after = factsOf(await findSubscription(tx, communityId));
    const earlier = factsOf(before);
    if (isDeepStrictEqual(earlier, after)) return 'unchanged';
    tx.audit({
      action: audited.action,
      target: { kind: 'community', id: communityId },
      before: earlier,
      after,
    });
    return 'changed';
  });
}

/** Reads what an event of Stripe was about: a customer, or the customer of a charge. */
export const createStripeSync =
  (deps: SyncDeps): Sync =>
  async ({ kind, id }) => {
    try {
      const customerId = kind === 'charge' ? await deps.billing.findCustomerOfCharge(id) : id;
      // The customer or the charge may not belong to any community of ours.
      if (customerId !== null) await syncCustomer(deps, customerId);
      return null;
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      if (error.code !== 'not_found') return error.code;
      deps.log.error(
        { err: error, kind, id },
        'an event is about something that the payment service does not have',
      );
      return null;
    }
  };

/** The community by our own row, or by the customer's own data when a crash prevented the row. */
async function communityOf(tx: WriteTx, customerId: string, read: ReadCustomer): Promise<string | null> {
  const known = await findCommunityOfCustomer(tx, customerId);
  if (known !== null) return known;
  const { communityId } = read;
  if (communityId === null || !UUID.test(communityId)) return null;
  const stored = await saveCustomer(tx, { communityId, customerId });
  return stored === customerId ? communityId : null;
}

/** What the audit says of a subscription. */
function factsOf(stored: StoredSubscription | null): AuditValue {
  if (stored === null) return null;
  const { communityId: _, readAt: __, ...facts } = stored;
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
