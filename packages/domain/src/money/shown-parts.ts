import { Decimal } from 'decimal.js';
import { ExactDecimal } from './exact-decimal.ts';

const CENTS = 2;

/**
 * Parts of a whole, rounded to 2 decimals so that the rounded parts sum to the rounded whole: the largest remainders
 * are rounded up, in order when equal. Presentation only: books and payouts use the exact parts.
 * @param parts decimal strings, none negative
 * @returns decimal strings with 2 decimals, in the order of the parts
 */
export function shownParts(parts: readonly string[]): string[] {
  const exact = parts.map((part) => new ExactDecimal(part).times(100));
  const cents = exact.map((part) => part.floor());
  const whole = exact
    .reduce((sum, part) => sum.plus(part), new ExactDecimal(0))
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP);
  const missing = whole.minus(cents.reduce((sum, part) => sum.plus(part), new ExactDecimal(0))).toNumber();
  const raised = exact
    .map((part, index) => ({ index, remainder: part.minus(part.floor()) }))
    .toSorted((a, b) => b.remainder.comparedTo(a.remainder))
    .slice(0, missing);
  const isRaised = new Set(raised.map(({ index }) => index));
  return cents.map((part, index) =>
    part
      .plus(isRaised.has(index) ? 1 : 0)
      .div(100)
      .toFixed(CENTS),
  );
}
