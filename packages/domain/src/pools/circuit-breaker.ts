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
