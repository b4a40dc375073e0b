import { ExactDecimal } from './exact-decimal.ts';

/** Base units of one token, and wei of one coin. */
const UNITS = 10n ** 18n;

/** Base units of a millionth of a token: many wallets send no smaller part, so no person is asked for one. */
export const UNITS_PER_MILLIONTH = 10n ** 12n;

/** What a person is asked to send for an amount: in whole millionths, rounded up, so that it pays in full. */
export function askedUnits(units: bigint): bigint {
  return ((units + UNITS_PER_MILLIONTH - 1n) / UNITS_PER_MILLIONTH) * UNITS_PER_MILLIONTH;
}

/** Base units as a decimal string of whole tokens, without trailing zeros and without exponent. */
export function unitsToDecimal(units: bigint): string {
  return new ExactDecimal(units.toString()).div(UNITS.toString()).toFixed();
}

/** Whole tokens, a decimal string, as base units; null when it is not a whole number of base units. */
export function decimalToUnits(amount: string): bigint | null {
  const units = new ExactDecimal(amount).times(UNITS.toString());
  return units.isInteger() ? BigInt(units.toFixed()) : null;
}
