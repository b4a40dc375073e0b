import { poolUnexplainedResolved } from '@copydesk/domain/ledger';
import { resolvableUnits } from '@copydesk/domain/pools';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { lockArrivalCycle, lockMatching, recordReturned } from './arrivals.store.ts';
import { readUnexplainedFacts } from './unexplained.views.ts';

/**
 * Explains arrivals that the exchange listed as withdrawals only after they were final: its record of the same
 * transaction is the evidence. A withdrawal after the valuation stays unexplained until the next cycle.
 */
export async function matchArrivals(tx: WriteTx, poolId: string): Promise<void> {
  const { isValued } = await lockArrivalCycle(tx, poolId);
  if (isValued) return;
  const matched: string[] = [];
  for (const { id, units } of await lockMatching(tx, poolId)) {
    if (units > resolvableUnits('is_return', await readUnexplainedFacts(tx, poolId))) continue;
    const source = { type: 'pool_arrival', id };
    await postJournal(tx, poolUnexplainedResolved(poolId, { end: 'is_return', units }, source));
    matched.push(id);
  }
  if (matched.length > 0) await recordReturned(tx, matched);
}
