import type { JournalKind } from '../../ledger/ledger.ts';
import type { UnexplainedEnd } from '../../ledger/ledger-pool.ts';
import { leastOf, mostOf } from '../../money/order-units.ts';

/** A final transfer to the proxy wallet. It is booked in every state of the cycle. */
export interface ProxyArrival {
  /** withdrawal: matched to a withdrawal of this pool; bounce: the exchange sent the funding transfer back. */
  match: 'withdrawal' | 'bounce' | null;
  /** Whether the present cycle is valued: from the valuation until the next cycle begins. */
  isValued: boolean;
}

/**
 * The journal of a transfer to the proxy wallet. A withdrawal after the valuation is no part of this cycle's result, and
 * an open pool has nothing in `pool_returned`: until the next cycle it counts as unexplained.
 */
export function arrivalJournalKind({ match, isValued }: ProxyArrival): JournalKind {
  if (match === 'bounce') return 'pool_bounced';
  return match === 'withdrawal' && !isValued ? 'pool_funds_returned' : 'pool_unexplained_in';
}

/** Balances of a pool that limit a decision about unexplained money. Base units. */
export interface UnexplainedFacts {
  isValued: boolean;
  /** Whether journals of the valuation are still to be posted: they were planned with these balances. */
  isBeingBooked: boolean;
  unexplainedUnits: bigint;
  proxyUnits: bigint;
  returnedUnits: bigint;
  /** Without what was lost in transit, which the next result covers. */
  shortfallUnits: bigint;
}

/** Facts about a decision that money was a withdrawal from the exchange. Base units. */
export interface UndoFacts extends Pick<UnexplainedFacts, 'isValued' | 'returnedUnits'> {
  /** Whether the cycle waits for its result, or failed there. */
  isBeingValued: boolean;
  /** Whether the decision counted towards the result of the present cycle. */
  isOfPresentCycle: boolean;
}

/**
 * Whether the link between an arrival and the exchange may be undone, which one person may do. Only before the
 * valuation begins: from then on the money that is missing would become a loss of the members.
 */
export const mayUndoReturn = (
  units: bigint,
  { isValued, isBeingValued, isOfPresentCycle, returnedUnits }: UndoFacts,
): boolean => isOfPresentCycle && !isValued && !isBeingValued && units <= returnedUnits;

/**
 * How much unexplained money two people may end this way. As long as a shortfall exists, as much of it stays as covers
 * the shortfall: the capital of the members would not be there otherwise.
 */
export function resolvableUnits(end: UnexplainedEnd, facts: UnexplainedFacts): bigint {
  const { isValued, isBeingBooked, unexplainedUnits, proxyUnits, returnedUnits, shortfallUnits } = facts;
  if (isBeingBooked) return 0n;
  const free = mostOf(unexplainedUnits - shortfallUnits, 0n);
  switch (end) {
    case 'is_return':
      return isValued ? 0n : free;
    case 'sent_back':
      return mostOf(leastOf(free, proxyUnits - returnedUnits), 0n);
    case 'covers_shortfall':
      return leastOf(unexplainedUnits, shortfallUnits);
  }
}
