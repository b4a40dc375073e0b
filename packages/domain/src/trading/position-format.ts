import { Decimal } from 'decimal.js';
import { ExactDecimal } from '../money/exact-decimal.ts';

/**
 * The console's formats for positions (console spec, section 9), from decimal strings without floats. A missing or
 * invalid value is N/A.
 */
type Amount = string | null | undefined;

const MISSING = 'N/A';
const MOST_DOTS = 32;

/** Prices: 4 decimals. */
export function formatPrice(price: Amount): string {
  return written(price, (amount) => grouped(amount.toFixed(4)));
}

/** PnL: `+$1,234.50`, `-$0.05`. */
export function formatPnl(pnl: Amount): string {
  return written(pnl, (amount) => signed(amount, 2, '$'));
}

/** A percentage with its sign: `+12.50%`. */
export function formatSignedPercent(percent: Amount): string {
  return written(percent, (amount) => `${signed(amount, 2)}%`);
}

/** Leverage: `10x`. */
export function formatLeverage(leverage: Amount): string {
  return written(leverage, (amount) => `${grouped(amount.toDecimalPlaces(2).toFixed())}x`);
}

/** Size of a position: up to 8 decimals, without trailing zeros. */
export function formatSize(contracts: Amount): string {
  return written(contracts, (amount) => grouped(amount.toDecimalPlaces(8).toFixed()));
}

/** PnL in little space, as in a day of a calendar: `+1.2K`, `-85`, `-0.25`. */
export function formatShortPnl(pnl: Amount): string {
  return written(pnl, (amount) => {
    const size = amount.abs();
    const [unit, letter] = size.gte(999_500) ? [1_000_000, 'M'] : size.gte(1_000) ? [1_000, 'K'] : [1, ''];
    const part = amount.div(unit);
    const decimals = letter === '' ? (size.lt(9.995) ? 2 : 0) : part.abs().lt(99.95) ? 1 : 0;
    return `${signed(part, decimals)}${letter}`;
  });
}

/** Whether an amount, rounded to 2 decimals, is above (1) or below (-1) zero; 0 when neither or unknown. */
export function signOf(amount: Amount): -1 | 0 | 1 {
  const known = amountOf(amount)?.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  if (!known || known.isZero()) return 0;
  return known.gt(0) ? 1 : -1;
}

/** A masked credential: one dot per character, at most 32. */
export function maskCredential(value: string): string {
  return '•'.repeat(Math.min(value.length, MOST_DOTS));
}

function amountOf(text: Amount): Decimal | null {
  if (text === null || text === undefined || !/^-?\d+(\.\d+)?$/.test(text)) return null;
  return new ExactDecimal(text);
}

function written(text: Amount, write: (amount: Decimal) => string): string {
  const amount = amountOf(text);
  return amount ? write(amount) : MISSING;
}

/** An amount that rounds to zero has no minus. */
function signed(amount: Decimal, decimals: number, unit = ''): string {
  const rounded = amount.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP);
  return `${rounded.lt(0) ? '-' : '+'}${unit}${grouped(rounded.abs().toFixed(decimals))}`;
}

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const isNothing = !/[1-9]/.test(text);
  return `${isNothing ? thousands.replace('-', '') : thousands}${fraction ? `.${fraction}` : ''}`;
}
