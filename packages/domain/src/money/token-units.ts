import { ExactDecimal } from './exact-decimal.ts';

/** Base units of one token, and wei of one coin. */
const UNITS = 10n ** 18n;

/** Base units as a decimal string of whole tokens, without trailing zeros and without exponent. */
export function unitsToDecimal(units: bigint): string {
  return new ExactDecimal(units.toString()).div(UNITS.toString()).toFixed();
}

/** Whole tokens, a decimal string, as base units; null when it is not a whole number of base units. */
export function decimalToUnits(amount: string): bigint | null {
  const units = new ExactDecimal(amount).times(UNITS.toString());
  return units.isInteger() ? BigInt(units.toFixed()) : null;
}
