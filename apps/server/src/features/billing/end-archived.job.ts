import { BillingError } from '../../integrations/billing/gateway.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { listRenewingArchived } from './subscriptions.views.ts';
import { type SyncDeps, syncCustomer } from './sync-customer.ts';

const ENDED = { action: 'subscription.ended', actor: WORKER_ACTOR } as const;

/**
 * Archived communities are not billed again: their subscriptions end with the paid period. A restored community has to
 * be resumed by a person, on the payment service's page. A refusal by the payment service is tried at the next run.
 */
export async function endArchivedSubscriptions(deps: SyncDeps): Promise<void> {
  const { db, billing, log } = deps;
  for (const customerId of await db.read(WHOLE_SCOPE, listRenewingArchived)) {
    try {
      await billing.endAtPeriodEnd(customerId);
      await syncCustomer(deps, customerId, ENDED);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      log.warn({ customerId, problem: error.code }, 'the subscription of an archived community goes on');
    }
  }
}
