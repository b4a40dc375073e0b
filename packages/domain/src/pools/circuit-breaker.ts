import { ExactDecimal } from '../money/exact-decimal.ts';

/**
 * How many points of drawdown a pool may still lose before its circuit breaker keeps it from trading; zero or less: it
 * does.
 * @param drawdown per cent from the highest unit price, zero or less @param limit per cent, above zero
 */
export function breakerDistance(drawdown: string, limit: string): string {
  return new ExactDecimal(limit).plus(drawdown).toFixed();
}

/** Whether a pool with this drawdown may not trade on. @param limit null: there is none */
export function isBreakerTripped(drawdown: string, limit: string | null): boolean {
  return limit !== null && !new ExactDecimal(breakerDistance(drawdown, limit)).gt(0);
}

/** A limit that was raised or removed since the pool traded last. */
export interface RaisedBreaker {
  by: string;
  /** The limit before. */
  from: string;
}

/** Whether a change of the limit lets a pool trade on that would not have before. Null: no limit. */
const isBreakerRaised = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || new ExactDecimal(after).gt(before));

/**
 * What a change of the limit by this person leaves in force for them: their lowest limit since the pool traded last.
 * Null: the change raises nothing.
 */
export function raisedBreaker(
  by: string,
  { before, after, earlier }: { before: string | null; after: string | null; earlier: RaisedBreaker | null },
): RaisedBreaker | null {
  if (before === null || !isBreakerRaised(before, after)) return earlier;
  const isLower = earlier?.by === by && new ExactDecimal(earlier.from).lt(before);
  return isLower ? earlier : { by, from: before };
}

/** The limit that holds when this person lets the pool trade on: raising it first is no way to do so alone. */
export function limitFor(
  person: string | null,
  limit: string | null,
  raised: RaisedBreaker | null,
): string | null {
  if (raised === null || raised.by !== person) return limit;
  return limit === null || new ExactDecimal(raised.from).lt(limit) ? raised.from : limit;
}
