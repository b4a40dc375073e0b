import { requireActiveRequester, requireApprover } from '../../../core/transfers/orders/approvers.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import {
  auditDecision,
  requireSameRecipients,
  takeBack,
} from '../distributions/decide-distribution.service.ts';
import { decide, listLockedOfRun } from '../distributions/distributions.store.ts';
import { lockPayingCommunities } from '../paying-community.store.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { orderPayoutTransfers } from '../transfers/order-transfers.ts';
import { naming } from './payout-run.service.ts';
import { findRun } from './payout-runs.store.ts';
import { getRun, listRunLines, type PayoutRun } from './payout-runs.views.ts';
import { seenOf } from './run-lines.ts';

/**
 * Approves all distributions of a run, exactly as the approver saw them; afterwards each goes on alone.
 * @param seen the fingerprint that the approver saw; null: an operator of the workers' machine
 * @throws Refusal `not_found`, `distribution_decided`, the refusals of `decideApprover`, `requester_inactive`,
 * `recipients_changed`, `wallet_not_ready`, `deposits_missing`
 */
export async function approveRun(
  tx: WriteTx,
  deps: PlanDeps,
  id: string,
  seen: string | null,
): Promise<PayoutRun> {
  const { run, communities, distributions } = await lockAwaiting(tx, id);
  if (tx.actor.kind !== 'system') await requireApprover(tx, deps, run.requestedById);
  await requireActiveRequester(tx, run.requestedById);
  const present = seenOf(await listRunLines(tx, id));
  if (present !== run.seen || (seen !== null && seen !== run.seen)) throw new Refusal('recipients_changed');
  await requireSameRecipients(
    tx,
    deps,
    distributions.flatMap(({ payoutIds }) => payoutIds),
  );
  for (const distribution of distributions) {
    const { communityId, payoutIds } = distribution;
    await decide(tx, distribution.id, 'approved');
    const community = { name: communities.get(communityId) ?? '' };
    await naming(community, orderPayoutTransfers(tx, deps, communityId, payoutIds));
    auditDecision(tx, distribution, 'approved');
  }
  return getRun(tx, deps, id, tx.actor.id);
}

/**
 * Declines all distributions of a run. Their shares become pending again. Its author may decline it too.
 * @throws Refusal `not_found`, `distribution_decided`
 */
export async function declineRun(tx: WriteTx, deps: PlanDeps, id: string): Promise<PayoutRun> {
  const { distributions } = await lockAwaiting(tx, id);
  for (const distribution of distributions) {
    await decide(tx, distribution.id, 'declined');
    auditDecision(tx, distribution, 'declined');
  }
  await takeBack(
    tx,
    distributions.flatMap(({ payoutIds }) => payoutIds),
  );
  return getRun(tx, deps, id, tx.actor.id);
}

async function lockAwaiting(tx: WriteTx, id: string) {
  const run = await findRun(tx, id);
  if (!run) throw new Refusal('not_found');
  const locked = await lockPayingCommunities(tx, run.communityIds);
  const communities = new Map(locked.map((community) => [community.id, community.name]));
  const distributions = await listLockedOfRun(tx, id);
  if (distributions.some(({ state }) => state !== 'awaiting_approval'))
    throw new Refusal('distribution_decided');
  return { run, communities, distributions };
}
