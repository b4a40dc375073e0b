import { poolUnexplainedResolved, resolvableUnits } from '@copydesk/domain';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { readPoolBalances } from '../harvest/pool-balances.views.ts';
import { lockArrivalCycle, lockMatching, noteReturned } from './arrivals.store.ts';

/**
 * Explains arrivals that the exchange listed as withdrawals only after they were final: its record of the same
 * transaction is the evidence. A withdrawal after the valuation stays unexplained until the next cycle.
 */
export async function matchArrivals(tx: WriteTx, poolId: string): Promise<void> {
  const { isValued } = await lockArrivalCycle(tx, poolId);
  if (isValued) return;
  const matched: string[] = [];
  for (const { id, units } of await lockMatching(tx, poolId)) {
    const books = (await readPoolBalances(tx, [poolId]))(poolId);
    const resolvable = resolvableUnits('is_return', {
      isValued,
      isBeingBooked: false,
      unexplainedUnits: books.pool_unexplained,
      proxyUnits: books.pool_proxy,
      returnedUnits: books.pool_returned,
      shortfallUnits: books.pool_shortfall,
    });
    if (units > resolvable) continue;
    const source = { type: 'pool_arrival', id };
    await postJournal(tx, poolUnexplainedResolved(poolId, { end: 'is_return', units }, source));
    matched.push(id);
  }
  if (matched.length > 0) await noteReturned(tx, matched);
}
