import { leastOf } from '../money/order-units.ts';
import type { PoolAllocation } from '../pools/capital/allocation.ts';
import { buildJournal, type JournalDraft, type LedgerSource, type Movement } from './ledger.ts';
import { type LedgerAccount, ledgerAccount } from './ledger-accounts.ts';
import { LedgerError } from './ledger-error.ts';
import { poolLost } from './ledger-pool.ts';

/** Members in one journal of a valuation. */
export const VALUED_CHUNK = 500;

/** Balances that a valuation ends, and the allocation of its result. Base units. */
export interface ValuedPool {
  poolId: string;
  cycleId: string;
  /** Balance of `pool_returned`. */
  returnedUnits: bigint;
  /** Balance of `pool_exchange`. */
  exchangeUnits: bigint;
  /** Lost on its way to the exchange since the last valuation: in `pool_shortfall` so far. */
  lostInTransitUnits: bigint;
  /** The part of the returned money that is not the pool's: at most all of it. */
  foreignUnits: bigint;
  allocation: PoolAllocation;
}

/**
 * The journals of a valuation, in their order. Each is balanced, keeps the sum of the pool's accounts and leaves no
 * balance below zero, so a crash between two of them leaves correct books; together they end `pool_returned`,
 * `pool_exchange` and the shortfall of a lost transfer.
 *
 * The first journal moves the pool's side: the part of the returned money that replaces booked money, and foreign money,
 * whose owner two people decide about like any other unexplained money. A profit leaves
 * returned money, and each chunk takes its members' profit from there. A loss leaves booked money, and each chunk
 * covers its members' loss there. No account between the two is needed, because all parts have the sign of the result.
 *
 * A loss beyond all capital stays at the exchange account until the last journal, `pool_lost`, names it a shortfall.
 * @throws LedgerError `unbalanced` when the allocation is not that of these balances
 */
export function valuedJournals(pool: ValuedPool, chunkSize = VALUED_CHUNK): JournalDraft[] {
  const { poolId, cycleId, returnedUnits, exchangeUnits, lostInTransitUnits, foreignUnits, allocation } =
    pool;
  checkAllocation(pool);
  const { parts, unexplainedUnits, uncoveredUnits } = allocation;
  const lostUnits = leastOf(uncoveredUnits, exchangeUnits);
  // Uncovered units beyond those at the exchange were lost in transit: they stay a shortfall.
  const booked = createBookedMoney([
    { account: ledgerAccount.poolExchange(poolId), units: exchangeUnits - lostUnits },
    { account: ledgerAccount.poolShortfall(poolId), units: lostInTransitUnits },
  ]);
  const returned = ledgerAccount.poolReturned(poolId);
  const unexplained = ledgerAccount.poolUnexplained(poolId);
  const chunks: Movement[][] = [
    [
      ...booked.take(returned, returnedUnits - foreignUnits),
      ...(foreignUnits > 0n ? [{ debit: returned, credit: unexplained, units: foreignUnits }] : []),
      ...(unexplainedUnits > 0n
        ? [{ debit: returned, credit: unexplained, units: unexplainedUnits }]
        : booked.take(unexplained, -unexplainedUnits)),
    ],
  ];
  // Stryker disable next-line EqualityOperator: a chunk of no members makes no journal.
  for (let from = 0; from < parts.length; from += chunkSize)
    chunks.push(
      parts.slice(from, from + chunkSize).flatMap(({ memberId, units }) => {
        const capital = ledgerAccount.poolCapital(memberId);
        return units > 0n ? [{ debit: returned, credit: capital, units }] : booked.take(capital, -units);
      }),
    );
  const journals = chunks.flatMap((movements, chunk) =>
    movements.length === 0 ? [] : [buildJournal(head(`${cycleId}:${chunk}`), movements)],
  );
  const lost = { from: 'pool_exchange', units: lostUnits } as const;
  return lostUnits > 0n
    ? [...journals, poolLost(poolId, lost, cycleSource(`${cycleId}:exchange`))]
    : journals;
}

const cycleSource = (id: string): LedgerSource => ({ type: 'harvest_cycle', id });
const head = (id: string) => ({
  kind: 'pool_valued' as const,
  source: cycleSource(id),
  providerId: null,
});

/** Booked money in the order in which returns and losses end it. */
function createBookedMoney(places: { account: LedgerAccount; units: bigint }[]) {
  return {
    /** At most what is left. */
    take(debit: LedgerAccount, wanted: bigint): Movement[] {
      const movements: Movement[] = [];
      let left = wanted;
      for (const place of places) {
        const units = leastOf(left, place.units);
        if (units === 0n) continue;
        movements.push({ debit, credit: place.account, units });
        place.units -= units;
        left -= units;
      }
      return movements;
    },
  };
}

function checkAllocation({
  cycleId,
  returnedUnits,
  exchangeUnits,
  lostInTransitUnits,
  foreignUnits,
  allocation,
}: ValuedPool): void {
  const { parts, unexplainedUnits, uncoveredUnits } = allocation;
  const result = returnedUnits - foreignUnits - exchangeUnits - lostInTransitUnits;
  const sum = parts.reduce((total, { units }) => total + units, unexplainedUnits - uncoveredUnits);
  const isMixed = parts.some(({ units }) => (result <= 0n && units > 0n) || (result >= 0n && units < 0n));
  const isForeign = foreignUnits >= 0n && foreignUnits <= returnedUnits;
  if (sum !== result || isMixed || uncoveredUnits < 0n || !isForeign)
    throw new LedgerError('unbalanced', `${cycleId}: ${sum} allocated of a result of ${result}`);
}
