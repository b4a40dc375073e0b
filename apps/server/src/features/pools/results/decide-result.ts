import { decideValuation, type ForeignSum, type ValuationReason } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { findEvidence } from '../evidence/find-evidence.ts';
import { readPoolBalances } from '../harvest/pool-balances.views.ts';
import { sumSending } from '../proxy/unexplained.views.ts';
import { sumLostInTransit } from './lost-in-transit.views.ts';

export interface CyclePlace {
  poolId: string;
  cycleId: string;
}

/** The balances that a valuation ends. Base units. */
export interface ValuedBalances {
  returnedUnits: bigint;
  exchangeUnits: bigint;
  /** Lost on its way to the exchange since the last valuation. */
  lostInTransitUnits: bigint;
  unexplainedUnits: bigint;
}

/** The result of a cycle by the present books. */
export interface PoolResult extends ValuedBalances {
  resultUnits: bigint;
  /** The part of what returned that is not the pool's, and the part of the booked money that is somewhere else. */
  foreignUnits: bigint;
  missingUnits: bigint;
  /** What the exchange's log lists besides trading. */
  foreign: readonly ForeignSum[];
  /** The part of a loss that nothing covers. */
  uncoveredUnits: bigint;
  /** Why another super admin must approve it. */
  reasons: ValuationReason[];
  /** Whether virtual balances are those that were frozen when the pool stopped. */
  isCapitalFrozen: boolean;
}

/**
 * The result of a cycle as it would be booked now, by the newest read. Sums are enough for it, however many members the
 * pool has.
 */
export async function decideResult(tx: Tx, { poolId, cycleId }: CyclePlace, now: Date): Promise<PoolResult> {
  const sums = await readSums(tx, { poolId, cycleId });
  const { capitalUnits } = sums;
  const booked = (await readPoolBalances(tx, [poolId]))(poolId);
  const balances = {
    returnedUnits: booked.pool_returned,
    exchangeUnits: booked.pool_exchange,
    lostInTransitUnits: sums.lostUnits,
    unexplainedUnits: booked.pool_unexplained - (await sumSending(tx, poolId)),
  };
  const { newest } = await findEvidence(tx, cycleId, { now, since: now });
  const foreign = newest?.foreign ?? [];
  const { resultUnits, foreignUnits, missingUnits, reasons } = decideValuation({
    ...balances,
    capitalUnits,
    evidenceAgeMs: newest?.ageMs ?? Number.POSITIVE_INFINITY,
    loggedResultUnits: newest?.loggedResultUnits ?? null,
    foreign,
    otherCoinsUnits: newest?.otherCoinsUnits ?? 0n,
    owedUnits: newest?.owedUnits ?? 0n,
    owedCoinsUnits: newest?.owedCoinsUnits ?? 0n,
  });
  const covering = capitalUnits > 0n ? capitalUnits : balances.unexplainedUnits;
  const uncoveredUnits = -resultUnits > covering ? -resultUnits - covering : 0n;
  const isCapitalFrozen = sums.frozenUnits === null || sums.frozenUnits === capitalUnits;
  const money = { resultUnits, foreignUnits, missingUnits, foreign, uncoveredUnits };
  return { ...balances, ...money, reasons, isCapitalFrozen };
}

interface Sums {
  capitalUnits: bigint;
  frozenUnits: bigint | null;
  lostUnits: bigint;
}

/** The capital, what it was at the last stop, and what that stop's funding lost. */
async function readSums(tx: Tx, { poolId, cycleId }: CyclePlace): Promise<Sums> {
  const { rows } = await sql<{ capital: string; frozen: string | null }>`
    SELECT s.capital_units::text AS capital, b.frozen_capital_units::text AS frozen
    FROM harvest_cycle h JOIN pool_sum s ON s.pooled_account_id = h.pooled_account_id
    LEFT JOIN harvest_cycle b ON b.pooled_account_id = h.pooled_account_id AND b.cycle_number = h.cycle_number - 1
    WHERE h.id = ${cycleId} AND h.pooled_account_id = ${poolId}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no cycle ${cycleId} of the pool ${poolId}`);
  return {
    capitalUnits: BigInt(row.capital),
    frozenUnits: row.frozen === null ? null : BigInt(row.frozen),
    lostUnits: await sumLostInTransit(tx, cycleId),
  };
}
