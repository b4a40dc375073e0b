import { ExactDecimal } from './exact-decimal.ts';

/** Exact sum of decimal strings, as a decimal string without exponent. */
export function sumDecimals(amounts: readonly string[]): string {
  return amounts.reduce((total, amount) => total.plus(amount), new ExactDecimal(0)).toFixed();
}
