import { BillingError } from '../../integrations/billing/gateway.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { type ClaimedEvents, claimEvents, finishEvents, postponeEvents } from './events.store.ts';
import { type SyncDeps, syncCustomer } from './sync-customer.ts';

/** Longer than all requests of one read, retries included. */
const LEASE_MS = 90_000;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 30 * 60_000;
/** About six hours. The daily comparison mends the rest. */
const MOST_ATTEMPTS = 20;

/** Handles the events of one customer. Returns whether more may be waiting. */
export async function takeEventTurn(deps: SyncDeps): Promise<boolean> {
  const { db, log, now } = deps;
  const claimed = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    claimEvents(tx, { at: now(), leaseMs: LEASE_MS }),
  );
  if (!claimed) return false;
  const { ids, subject, attempts } = claimed;
  try {
    const isKnown = await readAgain(deps, subject);
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      finishEvents(tx, ids, {
        state: isKnown ? 'handled' : 'ignored',
        problem: isKnown ? null : 'unknown_customer',
        at: now(),
      }),
    );
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    const { code } = error;
    const isFinal = code === 'not_found' || attempts + 1 >= MOST_ATTEMPTS;
    log[isFinal ? 'error' : 'warn']({ err: error, subject, events: ids.length }, 'a billing event failed');
    const dueAt = new Date(now().getTime() + Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS));
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      isFinal
        ? finishEvents(tx, ids, { state: 'failed', problem: code, at: now() })
        : postponeEvents(tx, ids, { problem: code, dueAt }),
    );
  }
  return true;
}

/** False: neither the customer nor the charge is of a community of ours. */
async function readAgain(deps: SyncDeps, { kind, id }: ClaimedEvents['subject']): Promise<boolean> {
  const customerId = kind === 'charge' ? await deps.billing.findCustomerOfCharge(id) : id;
  return customerId !== null && (await syncCustomer(deps, customerId)) !== 'unknown';
}
