import type { CallAnswer } from '@copydesk/contract';
import { needsApproval } from '@copydesk/domain/access';
import { canCancelPayout, canResendPayout, canRetryPayout, type PayoutFacts } from '@copydesk/domain/payouts';
import { voidReservations } from '../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../core/ledger/reservations.views.ts';
import { askCancel, voidPlanned } from '../../core/transfers/ordered-transfers.store.ts';
import { requireApprover } from '../../core/transfers/orders/approvers.views.ts';
import { lockOrdersOf, sumOrderedLately } from '../../core/transfers/orders/ordered-lately.views.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type DistributionPlan, distribute } from './distributions/distribute.service.ts';
import { lockPayingCommunity } from './paying-community.store.ts';
import * as store from './payout-acts.store.ts';
import { findPayoutFacts, listRetriedWith } from './payout-facts.views.ts';
import { failPayouts, getStatus, recordOrdered, recordReplaced } from './payouts.store.ts';
import { listPayableLines } from './pending-shares.views.ts';
import type { PlanDeps } from './plan-deps.ts';
import { listPayableIds, releaseShares } from './shares.store.ts';
import { orderPayoutTransfers } from './transfers/order-transfers.ts';

interface Acted {
  id: string;
  status: string;
}
type Retried = CallAnswer<'POST /api/sweep-operations/{id}/retry'>['data'];

/**
 * Pays a failed payout again, and with it the payouts that failed because of the same deposit addresses: each address
 * is emptied once, for all of them. Their amounts stay reserved throughout. All or none are ordered.
 * @throws Refusal `not_found`, `payout_not_safe`, `approval_required`, the refusals of `decideApprover`,
 * `wallet_not_ready`, `deposits_missing`
 */
export async function retryPayout(tx: WriteTx, deps: PlanDeps, id: string): Promise<Retried> {
  const { communityId, facts } = await lockPayout(tx, id);
  if (!canRetryPayout(facts)) throw new Refusal('payout_not_safe');
  const others = await listRetriedWith(tx, id);
  const ids = [id, ...others.map((other) => other.id)];
  for (const each of ids) await orderAgain(tx, deps, communityId, each);
  await orderPayoutTransfers(tx, deps, communityId, ids);
  for (const other of others)
    tx.audit({
      action: 'payout.retried',
      target: { kind: 'payout', id: other.id },
      before: { status: 'failed' },
      after: { status: await getStatus(tx, other.id), with: id },
    });
  return { ...(await acted(tx, id, 'payout.retried', facts)), retried_with: others };
}

/**
 * Cancels a payout: at once while no transfer is signed; otherwise the worker cancels the nonce if it still can.
 * @throws Refusal `not_found`, `payout_not_safe`
 */
export async function cancelPayout(tx: WriteTx, id: string): Promise<Acted> {
  const { facts } = await lockPayout(tx, id);
  if (!canCancelPayout(facts)) throw new Refusal('payout_not_safe');
  if ((await voidPlanned(tx, [id])) > 0) {
    await failPayouts(tx, [id], 'taken_back', 'cancelled');
    return acted(tx, id, 'payout.cancelled', facts);
  }
  await askCancel(tx, id);
  return acted(tx, id, 'payout.cancel_asked', facts);
}

/**
 * A retry counts as an order of today. If only the requester decided the payout, the approval limit applies again:
 * above it another super admin must retry, which approves it.
 */
async function orderAgain(tx: WriteTx, deps: PlanDeps, communityId: string, id: string): Promise<void> {
  const { units, wasApproved, ...order } = await store.getOrder(tx, id);
  // What its author alone decided ended with the author: whoever pays it now has ordered it.
  const orderedById = order.isOrdererGone && !wasApproved ? tx.actor.id : order.orderedById;
  await lockOrdersOf(tx, orderedById);
  const lately = await sumOrderedLately(tx, { communityId, personId: orderedById, except: id });
  const takesTwo = !wasApproved && needsApproval(units, lately, deps.rules.approvalAboveUnits);
  if (takesTwo) {
    if (orderedById === tx.actor.id) throw new Refusal('approval_required');
    await requireApprover(tx, deps, orderedById);
  }
  await recordOrdered(tx, id, { orderedById, approvedById: takesTwo ? tx.actor.id : null });
}

/**
 * Orders the shares of a failed payout again, to the recipient's present address, as a new distribution under the usual
 * rules. The old payout keeps its amount and address and is never paid.
 * @param reason why an imported payout is certain to be unpaid; stored in the audit
 * @throws Refusal `not_found`, `payout_not_safe`, `address_held`, and the errors of `distribute`
 */
export async function resendPayout(
  tx: WriteTx,
  deps: PlanDeps,
  id: string,
  reason: string,
): Promise<DistributionPlan> {
  const { communityId, facts } = await lockPayout(tx, id);
  if (!canResendPayout(facts)) throw new Refusal('payout_not_safe');
  const payableIds = await listPayableIds(tx, id);
  await voidReservations(tx, await listOpenReservations(tx, 'payout', [id]));
  await voidPlanned(tx, [id]);
  await releaseShares(tx, [id]);
  await failPayouts(tx, [id], 'sent_again', 'sent_again');
  await refuseHeld(tx, deps, communityId, payableIds);
  // One above the largest payout was allowed once: as a new order it takes two further people again.
  const plan = await distribute(tx, deps, { communityId, payableIds, isDry: false, isAllowedOnce: true });
  await recordReplaced(tx, id, payableIds);
  tx.audit({
    action: 'payout.sent_again',
    target: { kind: 'payout', id },
    before: { status: facts.status },
    after: { reason, distribution_id: plan.distribution?.id ?? null },
  });
  return plan;
}

/** Reports the end of the hold on a new address. For other holds, `distribute` finds nothing to pay. */
async function refuseHeld(
  tx: WriteTx,
  { chainId, rules: { addressHoldHours: holdHours } }: PlanDeps,
  communityId: string,
  payableIds: readonly string[],
): Promise<void> {
  const lines = await listPayableLines(tx, { communityId, chainId, holdHours, payableIds });
  for (const { hold } of lines)
    if (hold && 'payableFrom' in hold)
      throw new Refusal('address_held', {
        message: `${hold.reason === 'referrer_set' ? 'This referrer' : 'This address'} was set recently. It is paid from ${hold.payableFrom} on, once another super admin has released it.`,
      });
}

async function lockPayout(tx: WriteTx, id: string): Promise<{ communityId: string; facts: PayoutFacts }> {
  const communityId = await store.findCommunityOf(tx, id);
  if (!communityId) throw new Refusal('not_found');
  await lockPayingCommunity(tx, communityId);
  await store.lockTransfersOf(tx, id);
  const facts = await findPayoutFacts(tx, id);
  if (!facts) throw new Refusal('not_found');
  return { communityId, facts };
}

async function acted(tx: WriteTx, id: string, action: string, before: PayoutFacts): Promise<Acted> {
  const status = await getStatus(tx, id);
  tx.audit({
    action,
    target: { kind: 'payout', id },
    before: { status: before.status, transfer: before.transfer },
    after: { status },
  });
  return { id, status };
}
