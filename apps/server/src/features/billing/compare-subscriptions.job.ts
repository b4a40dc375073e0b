import { BillingError } from '../../integrations/billing/gateway.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { customerOf } from './checkout.service.ts';
import { listCustomers, listIntents } from './customers.store.ts';
import { type SyncDeps, syncCustomer } from './sync-customer.ts';

const CORRECTED = { action: 'subscription.corrected', actor: WORKER_ACTOR } as const;

/**
 * Reads every customer at the payment service and writes what lost events have left wrong, with an audit entry for each
 * correction. Customers of ours are read even when the payment service does not list them.
 * @returns how many were corrected
 */
export async function compareSubscriptions(deps: SyncDeps): Promise<number> {
  const { db, billing, log } = deps;
  await finishCustomers(deps);
  const customers = new Set(await db.read(WHOLE_SCOPE, listCustomers));
  for await (const id of billing.listCustomers()) customers.add(id);
  let corrected = 0;
  for (const customerId of customers) {
    try {
      const outcome = await syncCustomer(deps, customerId, CORRECTED);
      if (outcome === 'unknown') log.warn({ customerId }, 'a customer belongs to no community');
      if (outcome !== 'changed') continue;
      corrected += 1;
      log.warn({ customerId }, 'a subscription was corrected: its events were lost or are late');
    } catch (error) {
      if (!(error instanceof BillingError) || error.code !== 'not_found') throw error;
      log.error({ customerId }, 'a stored customer is unknown to the payment service');
    }
  }
  return corrected;
}

/** Finishes the customers that a crash left half created, within the day for which their request can be repeated. */
async function finishCustomers({ db, billing, log }: SyncDeps): Promise<void> {
  for (const community of await db.read(WHOLE_SCOPE, listIntents)) {
    const customerId = await customerOf(
      { db, billing },
      { scope: WHOLE_SCOPE, actor: WORKER_ACTOR },
      community,
    );
    log.warn({ communityId: community.id, customerId }, 'a customer was created and not stored');
  }
}
