import { decimalToUnits } from '@copydesk/domain/money';
import { z } from 'zod';
import { toDecimalText } from '../../shapes/decimal-text.ts';

/** The only coin and chain of pools. */
export const COIN = 'USDT';
export const CHAIN = 'BSC';

function toUnits(value: unknown): bigint | null {
  const text = toDecimalText(value);
  return text === null ? null : decimalToUnits(text);
}

/** An amount of USDT in base units, 18 decimals. A figure with more decimals is unreadable: it is never rounded. */
export const units = z.unknown().transform((value, context) => {
  const amount = toUnits(value);
  if (amount !== null) return amount;
  context.addIssue('not an amount');
  return z.NEVER;
});

/** The same for an amount that the venue may leave out or empty. */
export const optionalUnits = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null || value === '') return null;
    const amount = toUnits(value);
    if (amount !== null) return amount;
    context.addIssue('not an amount');
    return z.NEVER;
  });

/** A whole number of at least 0, in text or as JSON number. */
export const count = z.unknown().transform((value, context) => {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  context.addIssue('not a count');
  return z.NEVER;
});

/** Text that may be empty or left out: null. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text || null);
