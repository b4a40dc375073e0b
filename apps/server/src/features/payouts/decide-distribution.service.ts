import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain';
import { voidReservations } from '../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../core/ledger/reservations.views.ts';
import { requireActiveRequester, requireApprover } from '../../core/people/approvers.views.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import * as store from './distributions.store.ts';
import { getDistribution } from './distributions.views.ts';
import { lockPayingCommunity } from './paying-community.store.ts';
import { failPayouts } from './payouts.store.ts';
import { listChangedRecipients } from './pending-shares.views.ts';
import type { PlanDeps } from './plan-deps.ts';
import { releaseShares } from './shares.store.ts';
import { planTransfers } from './transfers/plan-transfers.ts';

type Decided = CallAnswer<'POST /api/super-admin/distributions/{id}/approve'>['data'];

/**
 * Approves a distribution of another person and orders its transfers.
 * @throws ApiError `not_found`, `distribution_decided`, `requester_inactive`, `recipients_changed`, the refusals of `decideApprover`, `wallet_not_ready`,
 * `deposits_missing`
 */
export async function approve(tx: WriteTx, deps: PlanDeps, id: string): Promise<Decided> {
  const distribution = await lockAwaiting(tx, id);
  await requireApprover(tx, deps, distribution.requestedById);
  await requireActiveRequester(tx, distribution.requestedById);
  await requireSameRecipients(tx, deps, distribution);
  await store.decide(tx, id, 'approved');
  await planTransfers(tx, deps, distribution.communityId, distribution.payoutIds);
  audit(tx, distribution, 'approved');
  return getDistribution(tx, deps, id, tx.actor.id);
}

/**
 * Declines a distribution. Its shares become pending again. The requester may decline it too.
 * @throws ApiError `not_found`, `distribution_decided`
 */
export async function decline(tx: WriteTx, deps: PlanDeps, id: string): Promise<Decided> {
  const distribution = await lockAwaiting(tx, id);
  const { payoutIds } = distribution;
  await store.decide(tx, id, 'declined');
  await voidReservations(tx, await listOpenReservations(tx, 'payout', payoutIds));
  await releaseShares(tx, payoutIds);
  await failPayouts(tx, payoutIds, 'declined', 'declined');
  audit(tx, distribution, 'declined');
  return getDistribution(tx, deps, id, tx.actor.id);
}

/**
 * What was ordered is what is approved: an address that was replaced, or is held since, is ordered anew.
 * @throws ApiError `recipients_changed` with the recipients
 */
async function requireSameRecipients(
  tx: WriteTx,
  { rules: { addressHoldHours } }: PlanDeps,
  { payoutIds }: store.LockedDistribution,
): Promise<void> {
  const changed = await listChangedRecipients(tx, payoutIds, addressHoldHours);
  if (changed.length === 0) return;
  const names = changed.map(({ type, address }) => `${type.replaceAll('_', ' ')} ${address}`);
  throw new ApiError('recipients_changed', {
    message: `Another address now, or not released: ${names.join(', ')}. Decline this, and order it again.`,
  });
}

async function lockAwaiting(tx: WriteTx, id: string): Promise<store.LockedDistribution> {
  const communityId = await store.findCommunityOf(tx, id);
  if (!communityId) throw new ApiError('not_found');
  await lockPayingCommunity(tx, communityId);
  const distribution = await store.getLockedDistribution(tx, id);
  if (distribution.state !== 'awaiting_approval') throw new ApiError('distribution_decided');
  return distribution;
}

function audit(tx: WriteTx, distribution: store.LockedDistribution, state: 'approved' | 'declined'): void {
  tx.audit({
    action: `distribution.${state}`,
    target: { kind: 'community', id: distribution.communityId },
    before: { distribution_id: distribution.id, state: distribution.state },
    after: { distribution_id: distribution.id, state, amount: unitsToDecimal(BigInt(distribution.units)) },
  });
}
