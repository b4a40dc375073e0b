import { canCancelPayout, canResendPayout } from '@copydesk/domain/payouts';
import { voidReservations } from '../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../core/ledger/reservations.views.ts';
import { askCancel, voidPlanned } from '../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type DistributionPlan, distribute } from './distributions/distribute.service.ts';
import { lockPayingCommunities } from './paying-community.store.ts';
import * as store from './payout-acts.store.ts';
import { type KnownPayout, listPayoutFacts } from './payout-facts.views.ts';
import { failPayouts, readStatuses, recordReplaced } from './payouts.store.ts';
import { listPayableLines } from './pending-shares.views.ts';
import type { PlanDeps } from './plan-deps.ts';
import { listPayableIds, releaseShares } from './shares.store.ts';

interface Acted {
  id: string;
  status: string;
}

/**
 * Cancels a payout: at once while no transfer is signed; otherwise the worker cancels the nonce if it still can.
 * @throws Refusal `not_found`, `payout_not_safe`
 */
export async function cancelPayout(tx: WriteTx, id: string): Promise<Acted> {
  const facts = await lockPayout(tx, id);
  if (!canCancelPayout(facts)) throw new Refusal('payout_not_safe');
  if ((await voidPlanned(tx, [id])) > 0) {
    await failPayouts(tx, [id], 'taken_back', 'cancelled');
    return acted(tx, 'payout.cancelled', facts);
  }
  await askCancel(tx, id);
  return acted(tx, 'payout.cancel_asked', facts);
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
  const facts = await lockPayout(tx, id);
  const { communityId } = facts;
  if (!canResendPayout(facts)) throw new Refusal('payout_not_safe');
  const payableIds = await listPayableIds(tx, id);
  await voidReservations(tx, await listOpenReservations(tx, 'payout', [id]));
  await voidPlanned(tx, [id]);
  await releaseShares(tx, [id]);
  await failPayouts(tx, [id], 'sent_again', 'sent_again');
  await refuseHeld(tx, deps, communityId, payableIds);
  // A payout above the largest one was allowed only once: as a new order it takes two more people again.
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
  const lines = await listPayableLines(tx, { communityIds: [communityId], chainId, holdHours, payableIds });
  for (const { hold } of lines)
    if (hold && 'payableFrom' in hold)
      throw new Refusal('address_held', {
        message: `${hold.reason === 'referrer_set' ? 'This referrer' : 'This address'} was set recently. It is paid from ${hold.payableFrom} on, once another super admin has released it.`,
      });
}

async function lockPayout(tx: WriteTx, id: string): Promise<KnownPayout> {
  const [facts] = await lockPayouts(tx, [id]);
  if (!facts) throw new Refusal('not_found');
  return facts;
}

/**
 * Locks payouts and their transfers until the transaction ends.
 * @throws Refusal `not_found`: one of them does not exist
 */
export async function lockPayouts(tx: WriteTx, ids: readonly string[]): Promise<KnownPayout[]> {
  const communityIds = await store.findCommunitiesOf(tx, ids);
  if (!communityIds) throw new Refusal('not_found');
  await lockPayingCommunities(tx, communityIds);
  await store.lockTransfersOf(tx, ids);
  return listPayoutFacts(tx, ids);
}

async function acted(tx: WriteTx, action: string, { id, status, transfer }: KnownPayout): Promise<Acted> {
  const after = (await readStatuses(tx, [id])).get(id) as string;
  tx.audit({
    action,
    target: { kind: 'payout', id },
    before: { status, transfer },
    after: { status: after },
  });
  return { id, status: after };
}
