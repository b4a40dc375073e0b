import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { ALLOW_ONCE_APPROVALS } from '@copydesk/domain/payouts';
import { voidReservations } from '../../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../../core/ledger/reservations.views.ts';
import {
  listPossibleApprovers,
  requireActiveRequester,
  requireApprover,
} from '../../../core/transfers/orders/approvers.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { lockPayingCommunity } from '../paying-community.store.ts';
import { failPayouts } from '../payouts.store.ts';
import { listChangedRecipients } from '../pending-shares.views.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { releaseShares } from '../shares.store.ts';
import { orderPayoutTransfers } from '../transfers/order-transfers.ts';
import * as store from './distributions.store.ts';
import { getDistribution } from './distributions.views.ts';

type Decided = CallAnswer<'POST /api/super-admin/distributions/{id}/approve'>['data'];

/**
 * Approves a distribution of another person and orders its transfers. One with a payout above the largest takes two
 * approvals: the first is only noted. An operator of the workers' machine takes the place of a person who is missing.
 * @throws Refusal `not_found`, `distribution_decided`, `requester_inactive`, `recipients_changed`, the refusals of `decideApprover`, `wallet_not_ready`,
 * `deposits_missing`, `approved_already`, `others_can_approve`, `ordered_together`
 */
export async function approve(tx: WriteTx, deps: PlanDeps, id: string): Promise<Decided> {
  const distribution = await lockAwaiting(tx, id);
  const { isAboveMaximum, firstApprovedById } = distribution;
  if (tx.actor.kind === 'system') await requireMissing(tx, deps, distribution);
  else await requireApprovers(tx, deps, distribution);
  await requireActiveRequester(tx, distribution.requestedById);
  await requireSameRecipients(tx, deps, distribution.payoutIds);
  if (isAboveMaximum && firstApprovedById === null && tx.actor.kind !== 'system') {
    await store.recordFirstApproval(tx, id);
    auditDecision(tx, distribution, 'approved_first');
    return getDistribution(tx, deps, id, tx.actor.id);
  }
  await store.decide(tx, id, 'approved');
  await orderPayoutTransfers(tx, deps, distribution.communityId, distribution.payoutIds);
  auditDecision(tx, distribution, 'approved');
  return getDistribution(tx, deps, id, tx.actor.id);
}

/** @throws Refusal the refusals of `decideApprover`, `approved_already` */
async function requireApprovers(
  tx: WriteTx,
  deps: PlanDeps,
  { requestedById, firstApprovedById }: store.LockedDistribution,
): Promise<void> {
  if (firstApprovedById === tx.actor.id) throw new Refusal('approved_already');
  await requireApprover(tx, deps, requestedById);
  if (firstApprovedById !== null) await requireApprover(tx, deps, firstApprovedById);
}

/**
 * An operator may approve only when people who could approve are missing.
 * @throws Refusal `others_can_approve`
 */
async function requireMissing(
  tx: WriteTx,
  deps: PlanDeps,
  { isAboveMaximum, requestedById, firstApprovedById }: store.LockedDistribution,
): Promise<void> {
  if (!isAboveMaximum) return;
  const names = await listPossibleApprovers(tx, deps, requestedById);
  const given = firstApprovedById === null ? 0 : 1;
  if (names.length < ALLOW_ONCE_APPROVALS && given >= names.length) return;
  throw new Refusal('others_can_approve', {
    message: `It is above the largest payout: ${names.map(({ email }) => email).join(' and ')} can approve it, and do that first.`,
  });
}

/**
 * Declines a distribution. Its shares become pending again. The requester may decline it too.
 * @throws Refusal `not_found`, `distribution_decided`, `ordered_together`
 */
export async function decline(tx: WriteTx, deps: PlanDeps, id: string): Promise<Decided> {
  const distribution = await lockAwaiting(tx, id);
  const { payoutIds } = distribution;
  await store.decide(tx, id, 'declined');
  await takeBack(tx, payoutIds);
  auditDecision(tx, distribution, 'declined');
  return getDistribution(tx, deps, id, tx.actor.id);
}

/** Makes the shares of payouts that were never ordered pending again. */
export async function takeBack(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await voidReservations(tx, await listOpenReservations(tx, 'payout', payoutIds));
  await releaseShares(tx, payoutIds);
  await failPayouts(tx, payoutIds, 'declined', 'declined');
}

/**
 * An approval covers exactly what was ordered: if an address was replaced, or is held since, a new order is
 * needed.
 * @throws Refusal `recipients_changed` with the recipients
 */
export async function requireSameRecipients(
  tx: WriteTx,
  { rules: { addressHoldHours } }: PlanDeps,
  payoutIds: readonly string[],
): Promise<void> {
  const changed = await listChangedRecipients(tx, payoutIds, addressHoldHours);
  if (changed.length === 0) return;
  const names = changed.map(({ type, address }) => `${type.replaceAll('_', ' ')} ${address}`);
  throw new Refusal('recipients_changed', {
    message: `Another address now, or not released: ${names.join(', ')}. Decline this, and order it again.`,
  });
}

async function lockAwaiting(tx: WriteTx, id: string): Promise<store.LockedDistribution> {
  const communityId = await store.findCommunityOf(tx, id);
  if (!communityId) throw new Refusal('not_found');
  await lockPayingCommunity(tx, communityId);
  const distribution = await store.getLockedDistribution(tx, id);
  if (distribution.state !== 'awaiting_approval') throw new Refusal('distribution_decided');
  if (distribution.runId !== null) throw new Refusal('ordered_together');
  return distribution;
}

export function auditDecision(
  tx: WriteTx,
  distribution: Pick<store.LockedDistribution, 'id' | 'communityId' | 'state' | 'units'>,
  state: 'approved_first' | 'approved' | 'declined',
): void {
  tx.audit({
    action: `distribution.${state}`,
    target: { kind: 'community', id: distribution.communityId },
    before: { distribution_id: distribution.id, state: distribution.state },
    after: { distribution_id: distribution.id, state, amount: unitsToDecimal(BigInt(distribution.units)) },
  });
}
