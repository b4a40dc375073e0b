import { canCancelPayout, canRetryPayout, needsApproval, type PayoutFacts } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { lockOrdersOf, sumOrderedLately } from './ordered-lately.views.ts';
import { lockPayingCommunity } from './paying-community.store.ts';
import * as store from './payout-acts.store.ts';
import type { PlanDeps } from './payout-deps.ts';
import { findPayoutFacts } from './payout-facts.views.ts';
import { planTransfers } from './plan-transfers.ts';

interface Acted {
  id: string;
  status: string;
}

/**
 * Pays a failed payout again. What its recipient is owed was set aside all the time; what did not leave a deposit
 * address is ordered anew, for other payouts that waited for it as well.
 * @throws ApiError `not_found`, `payout_not_safe`, `approval_required`, `wallet_not_ready`, `deposits_missing`
 */
export async function retryPayout(tx: WriteTx, deps: PlanDeps, id: string): Promise<Acted> {
  const { communityId, facts } = await lockPayout(tx, id);
  if (!canRetryPayout(facts)) throw new ApiError('payout_not_safe');
  await orderAgain(tx, deps, communityId, id);
  await planTransfers(tx, deps, communityId, [id]);
  return acted(tx, id, 'payout.retried', facts);
}

/**
 * Takes a payout back: at once while nothing was signed for it; else the worker spends its nonce on nothing, if it
 * still can.
 * @throws ApiError `not_found`, `payout_not_safe`
 */
export async function cancelPayout(tx: WriteTx, id: string): Promise<Acted> {
  const { facts } = await lockPayout(tx, id);
  if (!canCancelPayout(facts)) throw new ApiError('payout_not_safe');
  if (await store.voidPlanned(tx, id)) return acted(tx, id, 'payout.cancelled', facts);
  await store.askCancel(tx, id);
  return acted(tx, id, 'payout.cancel_asked', facts);
}

/**
 * A retry is an order as of today. One that nobody but its requester decided about meets the approval limit again:
 * above it another super admin retries it, which approves it.
 */
async function orderAgain(
  tx: WriteTx,
  { approvalAboveUnits }: PlanDeps,
  communityId: string,
  id: string,
): Promise<void> {
  const order = await store.getOrder(tx, id);
  await lockOrdersOf(tx, order.orderedById);
  const lately = await sumOrderedLately(tx, { communityId, personId: order.orderedById, except: id });
  const isOnlyRequester = !order.wasApproved && order.orderedById === tx.actor.id;
  if (isOnlyRequester && needsApproval(order.units, lately, approvalAboveUnits))
    throw new ApiError('approval_required');
  await store.noteOrdered(tx, id);
}

async function lockPayout(tx: WriteTx, id: string): Promise<{ communityId: string; facts: PayoutFacts }> {
  const communityId = await store.findCommunityOf(tx, id);
  if (!communityId) throw new ApiError('not_found');
  await lockPayingCommunity(tx, communityId);
  await store.lockTransfersOf(tx, id);
  const facts = await findPayoutFacts(tx, id);
  if (!facts) throw new ApiError('not_found');
  return { communityId, facts };
}

async function acted(tx: WriteTx, id: string, action: string, before: PayoutFacts): Promise<Acted> {
  const status = await store.getStatus(tx, id);
  tx.audit({
    action,
    target: { kind: 'sweep_operation', id },
    before: { status: before.status, transfer: before.transfer },
    after: { status },
  });
  return { id, status };
}
