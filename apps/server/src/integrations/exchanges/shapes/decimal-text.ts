import { Decimal } from 'decimal.js';
import { type DecimalText, GatewayError } from '../gateway.ts';

/** Keeps every digit of an amount, with settings of its own. */
export const Amount = Decimal.clone({ precision: 60 });

const PLAIN = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const NUMERIC = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** Longer than any amount of money, and short enough for every column that stores one. */
const LONGEST = 64;

/**
 * A venue's number as plain decimal text without exponent; null when it is not a number. A JSON number becomes the
 * shortest text of the same double, which up to 15 digits is the venue's own text.
 */
export function toDecimalText(value: unknown): DecimalText | null {
  if (typeof value === 'number')
    return Number.isFinite(value) ? withinReason(new Amount(value).toFixed()) : null;
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  if (PLAIN.test(value)) return value;
  return NUMERIC.test(value) ? withinReason(new Amount(value).toFixed()) : null;
}

const withinReason = (text: DecimalText): DecimalText | null => (text.length > LONGEST ? null : text);

/** Significant digits of a derived price: more than any venue's tick has, fewer than a division yields. */
const DERIVED_DIGITS = 12;

/** @throws GatewayError bad_response for the result of a division by zero */
export function toDerivedText(value: Decimal): DecimalText {
  if (!value.isFinite()) throw new GatewayError('bad_response');
  return value.toSignificantDigits(DERIVED_DIGITS).toFixed();
}

export const isZero = (amount: DecimalText): boolean => new Amount(amount).isZero();

export const magnitude = (amount: DecimalText): DecimalText => new Amount(amount).abs().toFixed();

export const multiply = (...factors: DecimalText[]): DecimalText =>
  factors.reduce((product, factor) => product.times(factor), new Amount(1)).toFixed();
