import { Decimal } from 'decimal.js';

/** Exact sum of decimal strings, as a decimal string without exponent. */
export function sumDecimals(amounts: readonly string[]): string {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();
}
