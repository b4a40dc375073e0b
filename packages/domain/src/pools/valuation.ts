import { mostOf } from '../money/order-units.ts';

const USDT = 10n ** 18n;
const EVIDENCE_MS = 10 * 60_000;

/** Reasons for which a valuation waits for a second super admin. */
export const VALUATION_REASONS = [
  'everything_gone',
  'large_result',
  'cross_check_off',
  'other_coins',
  'evidence_old',
] as const;
export type ValuationReason = (typeof VALUATION_REASONS)[number];

/** The basis of a valuation. Amounts are base units. */
export interface ValuationFacts {
  /** Balance of `pool_returned`: returned in this cycle. */
  returnedUnits: bigint;
  /** Balance of `pool_exchange`: booked at the exchange. */
  exchangeUnits: bigint;
  /** Lost on its way to the exchange since the last valuation. */
  lostInTransitUnits: bigint;
  /** Capital of all members. */
  capitalUnits: bigint;
  evidenceAgeMs: number;
  /** The result according to the exchange's transaction log; null when it could not be read. */
  loggedResultUnits: bigint | null;
  /** Value of other coins at the exchange. */
  otherCoinsUnits: bigint;
}

export interface Valuation {
  /** Profit, or a loss below zero. */
  resultUnits: bigint;
  /** Why another super admin must approve, the worst first; empty when it is healthy. */
  reasons: ValuationReason[];
}

/**
 * The result of a cycle, and whether it can be booked without approval. Money left at the exchange is at most dust and
 * counts as 0: it appears in a later result. Venue fees and funding are inside the result.
 */
export function decideValuation(facts: ValuationFacts): Valuation {
  const { returnedUnits, exchangeUnits, lostInTransitUnits, capitalUnits, loggedResultUnits } = facts;
  const bookedUnits = exchangeUnits + lostInTransitUnits;
  const resultUnits = returnedUnits - bookedUnits;
  const holds: Record<ValuationReason, boolean> = {
    everything_gone: returnedUnits === 0n && bookedUnits > 0n,
    large_result: sizeOf(resultUnits) * 100n > capitalUnits * 30n,
    // A result that the log cannot confirm is not healthy either.
    cross_check_off:
      loggedResultUnits === null
        ? bookedUnits > 0n
        : sizeOf(loggedResultUnits - resultUnits) > mostOf(USDT, capitalUnits / 1000n),
    other_coins: facts.otherCoinsUnits > USDT,
    evidence_old: facts.evidenceAgeMs > EVIDENCE_MS,
  };
  return { resultUnits, reasons: VALUATION_REASONS.filter((reason) => holds[reason]) };
}

/**
 * The largest balance at the exchange that counts as empty: less cannot be withdrawn, or is not worth its fee.
 * @param minimumUnits smallest withdrawal @param feeUnits its fee, both as read from the exchange
 */
export function dustOf(minimumUnits: bigint, feeUnits: bigint): bigint {
  return mostOf(USDT, minimumUnits + feeUnits);
}

function sizeOf(units: bigint): bigint {
  return units < 0n ? -units : units;
}
