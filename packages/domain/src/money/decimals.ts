import { ExactDecimal } from './exact-decimal.ts';

/** Exact sum of decimal strings, as a decimal string without exponent. */
export function sumDecimals(amounts: readonly string[]): string {
  return amounts.reduce((total, amount) => total.plus(amount), new ExactDecimal(0)).toFixed();
}

/** A fraction as a percentage, exactly and without trailing zeros: `0.29` is `29`. */
export function shownPercentage(fraction: string | number): string {
  return new ExactDecimal(fraction).times(100).toFixed();
}
