import { leastOf, mostOf } from '../../money/order-units.ts';
import type { ForeignSum } from './exchange-log.ts';

const USDT = 10n ** 18n;
const EVIDENCE_MS = 10 * 60_000;

/** Reasons for which a valuation waits for a second super admin. */
export const VALUATION_REASONS = [
  'everything_gone',
  'large_result',
  'foreign_money',
  'cross_check_off',
  'money_owed',
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
  /** The result of trading according to the exchange's transaction log; null when it could not be read. */
  loggedResultUnits: bigint | null;
  /** What the log lists besides trading. */
  foreign: readonly ForeignSum[];
  /** Value of other coins at the exchange, without those that are owed. */
  otherCoinsUnits: bigint;
  /** Owed to the exchange: USDT, and the value of other coins. Never netted with what is there. */
  owedUnits: bigint;
  owedCoinsUnits: bigint;
}

export interface Valuation {
  /** Profit, or a loss below zero: without foreign money and as if what is missing were back. */
  resultUnits: bigint;
  /** Foreign money that came back with the pool's own, as of a loan. It belongs to no member: zero or more. */
  foreignUnits: bigint;
  /** Booked money that left by other ways than trading and is not back, as in an earn product: zero or more. */
  missingUnits: bigint;
  /** Why another super admin must approve, the worst first; empty when it is healthy. */
  reasons: ValuationReason[];
}

/**
 * The result of a cycle, and whether it can be booked without approval. Money left at the exchange is at most dust and
 * counts as 0: it appears in a later result. Venue fees and funding are inside the result.
 *
 * Foreign money is not: the part of the unexplained difference that the log lists besides trading is kept apart. Money
 * that came in is no profit, even with an approval; money that went out is no loss, and nothing can be booked while it is
 * missing. It may come back by any way.
 */
export function decideValuation(facts: ValuationFacts): Valuation {
  const { returnedUnits, exchangeUnits, lostInTransitUnits, capitalUnits, loggedResultUnits, foreign } =
    facts;
  const bookedUnits = exchangeUnits + lostInTransitUnits;
  const toleranceUnits = mostOf(USDT, capitalUnits / 1000n);
  const { foreignUnits, missingUnits } = splitForeign(facts, toleranceUnits);
  const resultUnits = returnedUnits - bookedUnits - foreignUnits + missingUnits;
  const holds: Record<ValuationReason, boolean> = {
    everything_gone: returnedUnits === 0n && bookedUnits > 0n,
    large_result: sizeOf(resultUnits) * 100n > capitalUnits * 30n,
    foreign_money: foreign.length > 0,
    // A result that the log cannot confirm is not healthy either.
    cross_check_off:
      loggedResultUnits === null
        ? bookedUnits > 0n
        : sizeOf(loggedResultUnits - resultUnits) > toleranceUnits,
    money_owed: facts.owedUnits > 0n || facts.owedCoinsUnits > 0n,
    other_coins: facts.otherCoinsUnits > USDT,
    evidence_old: facts.evidenceAgeMs > EVIDENCE_MS,
  };
  const reasons = VALUATION_REASONS.filter((reason) => holds[reason]);
  return { resultUnits, foreignUnits, missingUnits, reasons };
}

/** The parts of foreign money in what returned and in what did not. What was lost in transit never reached the log. */
function splitForeign(
  { returnedUnits, exchangeUnits, loggedResultUnits, foreign }: ValuationFacts,
  toleranceUnits: bigint,
): Pick<Valuation, 'foreignUnits' | 'missingUnits'> {
  const sum = foreign.reduce((total, { units }) => total + units, 0n);
  const unexplained = returnedUnits - exchangeUnits - (loggedResultUnits ?? 0n);
  const missing = leastOf(-sum, -unexplained);
  return {
    foreignUnits: mostOf(leastOf(leastOf(sum, unexplained), returnedUnits), 0n),
    missingUnits: missing > toleranceUnits ? missing : 0n,
  };
}

/**
 * The largest balance at the exchange that counts as empty: less cannot be withdrawn, or is not worth its fee.
 * @param minimumUnits smallest withdrawal @param feeUnits its fee, both as read from the exchange
 */
export function dustOf(minimumUnits: bigint, feeUnits: bigint): bigint {
  return mostOf(USDT, minimumUnits + feeUnits);
}

function sizeOf(units: bigint): bigint {
  return mostOf(units, -units);
}
