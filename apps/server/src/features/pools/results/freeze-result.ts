import { allocateResult } from '@copydesk/domain/pools';
import type { WriteTx } from '../../../platform/db/database.ts';
import { recordForeign } from '../proxy/arrivals.store.ts';
import * as store from './allocations.store.ts';
import { type CyclePlace, decideResult } from './decide-result.ts';
import { listResults } from './results.views.ts';

/**
 * Decides the result of a cycle and every member's part for good, in the transaction that ends the valuation. Its
 * journals follow in chunks, and are the same however often they are derived.
 * @throws Error when virtual balances differ from those that were frozen when the pool stopped, or money is missing
 */
export async function freezeResult(tx: WriteTx, place: CyclePlace, now: Date): Promise<void> {
  const result = await decideResult(tx, place, now);
  if (!result.isCapitalFrozen)
    throw new Error(`virtual balances of the pool ${place.poolId} have changed since it stopped`);
  if (result.missingUnits > 0n) throw new Error(`money of the pool ${place.poolId} is somewhere else`);
  const shares = await store.listShares(tx, place.poolId);
  const { parts } = allocateResult(result.resultUnits, shares, result.unexplainedUnits);
  const capital = shares.reduce((sum, { units }) => sum + units, 0n);
  const winners = await store.sumWinners(tx, place.cycleId);
  const shareOf = new Map(shares.map(({ memberId, units }) => [memberId, units]));
  await store.insertResult(
    tx,
    place,
    result,
    parts.map(({ memberId, units }, index) => {
      const shareUnits = shareOf.get(memberId) ?? 0n;
      return {
        memberId,
        place: index,
        shareUnits,
        allocatedUnits: units,
        winnersUnits: capital === 0n ? 0n : (winners * shareUnits) / capital,
      };
    }),
  );
  const [latest] = await listResults(tx, place.poolId);
  await store.noteDrawdown(tx, place, latest?.drawdown ?? '0');
  await recordForeign(tx, place.poolId, result.foreignUnits);
}
