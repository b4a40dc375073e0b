import { UNEXPLAINED_ENDS, type UnexplainedEnd } from '@copydesk/domain/ledger';
import { resolvableUnits, type UnexplainedFacts } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { readPoolBalances } from '../harvest/pool-balances.views.ts';
import { sumLostInTransit } from '../results/lost-in-transit.views.ts';

// For super admins and the worker, who see every row.

/** Unexplained money of a pool that is on its way back to where it came from. Base units. */
export async function sumSending(tx: AnyTx, poolId: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(d.amount_units), 0)::text AS units
    FROM pool_arrival a JOIN pool_arrival_decision d ON d.arrival_id = a.id AND d.state = 'sending'
    WHERE a.pooled_account_id = ${poolId} AND a.state = 'unexplained'`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}

/** The facts that limit what two people may decide about the unexplained money of a pool in its present cycle. */
export async function readUnexplainedFacts(tx: Tx, poolId: string): Promise<UnexplainedFacts> {
  const { rows } = await sql<{ id: string; is_valued: boolean; is_opening: boolean; has_unbooked: boolean }>`
    SELECT h.id, h.result_units IS NOT NULL AS is_valued, h.step = 'opening' AS is_opening, EXISTS (
      SELECT FROM harvest_allocation a WHERE a.cycle_id = h.id AND a.booked_at IS NULL) AS has_unbooked
    FROM harvest_cycle h WHERE h.pooled_account_id = ${poolId} AND h.ended_at IS NULL`.execute(tx.sql);
  const [cycle] = rows;
  if (!cycle) throw new Error(`the pool ${poolId} has no cycle`);
  const books = (await readPoolBalances(tx, [poolId]))(poolId);
  const sendingUnits = await sumSending(tx, poolId);
  const lostUnits = cycle.is_valued ? 0n : await sumLostInTransit(tx, cycle.id);
  return {
    isValued: cycle.is_valued,
    // A booked result leaves nothing at the exchange or in what returned; a cycle that failed after it stays in this step.
    isBeingBooked: cycle.is_opening && (cycle.has_unbooked || books.pool_exchange + books.pool_returned > 0n),
    unexplainedUnits: books.pool_unexplained - sendingUnits,
    proxyUnits: books.pool_proxy - sendingUnits,
    returnedUnits: books.pool_returned,
    shortfallUnits: books.pool_shortfall - lostUnits,
  };
}

/** How much of a pool's unexplained money can end in each way now. Base units. */
export const resolvableOf = (facts: UnexplainedFacts): Record<UnexplainedEnd, bigint> =>
  Object.fromEntries(UNEXPLAINED_ENDS.map((end) => [end, resolvableUnits(end, facts)])) as Record<
    UnexplainedEnd,
    bigint
  >;
