import { randomUUIDv7 } from 'node:crypto';
import { unitsToDecimal } from '@copydesk/domain/money';
import { goesOnWithout } from '@copydesk/domain/payouts';
import { voidReservations } from '../../../core/ledger/reservations.service.ts';
import { lockCommunities } from '../../../core/transfers/communities.store.ts';
import { orderPayouts, voidPlanned } from '../../../core/transfers/ordered-transfers.store.ts';
import type { PurposeContext } from '../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { sumOf } from '../distributions/payable-recipients.ts';
import { reducePayouts, startPayouts } from '../payouts.store.ts';
import { returnShares } from '../shares.store.ts';
import * as store from './detach-stuck.store.ts';

/**
 * Detaches stuck consolidations from payouts. The shares that they back leave the waiting payouts and become pending
 * again; the payouts go on with the rest.
 * @returns whether any payout can go on now
 */
export async function detachStuck(context: PurposeContext): Promise<boolean> {
  const waiting = await context.db.read(WHOLE_SCOPE, (tx) => store.listWaitingForStuck(tx));
  if (waiting.length === 0) return false;
  let hasDetached = false;
  await retryConflicts(() =>
    context.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      await lockCommunities(
        tx,
        waiting.map(({ communityId }) => communityId),
      );
      // Reads again under the lock, because the payouts may have changed meanwhile.
      const still = await store.listWaitingForStuck(tx);
      const known = new Set(waiting.map(({ id }) => id));
      hasDetached = await detachShares(
        tx,
        context,
        still.map(({ id }) => id).filter((id) => known.has(id)),
      );
    }),
  );
  return hasDetached;
}

/** Does the same for payouts that wait for consolidations which have just ended without moving anything. */
export async function detachFailed(
  tx: WriteTx,
  context: PurposeContext,
  consolidationIds: readonly string[],
): Promise<void> {
  const waiting = await store.listWaitingForStuck(tx, store.ofConsolidations(consolidationIds));
  await detachShares(
    tx,
    context,
    waiting.map(({ id }) => id),
  );
}

/** Requires locked communities. Skips payouts with a signed transfer, because these have all their tokens. */
async function detachShares(
  tx: WriteTx,
  { atStep }: PurposeContext,
  payoutIds: readonly string[],
): Promise<boolean> {
  if (payoutIds.length === 0) return false;
  const locked = await store.lockPlannedPayments(tx, payoutIds);
  const stuck = Map.groupBy(
    await store.listStuckShares(
      tx,
      locked.map(({ payoutId }) => payoutId),
    ),
    ({ payoutId }) => payoutId,
  );
  // One account of an invoice may hold both stuck and other shares. A payout with nothing else waits for all of them.
  const planned = locked.filter(({ payoutId, units }) =>
    goesOnWithout(units, sumOf(stuck.get(payoutId) ?? [])),
  );
  if (planned.length === 0) return false;
  const ids = planned.map(({ payoutId }) => payoutId);
  const shares = ids.flatMap((id) => stuck.get(id) ?? []);
  await voidReservations(tx, await store.listReservationsOf(tx, shares));
  atStep?.('shares_returned');
  await returnShares(
    tx,
    shares.flatMap(({ payableIds }) => payableIds),
  );
  await reducePayouts(tx, shares);
  // A transfer's amount never changes, so planned transfers are voided and replaced by transfers of the smaller
  // amounts.
  await voidPlanned(tx, ids);
  for (const [chainId, ofChain] of Map.groupBy(planned, (each) => each.chainId))
    await orderPayouts(
      tx,
      { chainId, tokenAddress: ofChain[0]?.token as string },
      ofChain.map(({ payoutId }) => ({ id: randomUUIDv7(), payoutId })),
    );
  await startPayouts(tx, ids);
  for (const [id, taken] of Map.groupBy(shares, ({ payoutId }) => payoutId))
    tx.audit({
      action: 'payout.shares_returned',
      target: { kind: 'payout', id },
      after: {
        shares: taken.reduce((count, { payableIds }) => count + payableIds.length, 0),
        amount: unitsToDecimal(sumOf(taken)),
        because: 'consolidation_stuck',
      },
    });
  return true;
}
