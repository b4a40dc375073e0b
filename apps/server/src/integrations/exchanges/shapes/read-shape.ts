import { z } from 'zod';
import { GatewayError } from '../gateway.ts';
import { toDecimalText } from './decimal-text.ts';

/** A number in text or as JSON number, read as decimal text. */
export const decimal = z.unknown().transform((value, context) => {
  const text = toDecimalText(value);
  if (text !== null) return text;
  context.addIssue('not a number');
  return z.NEVER;
});

/** The same for a number that a venue may leave out, empty or null. */
export const optionalDecimal = z
  .unknown()
  .optional()
  .transform((value, context) => {
    if (value === undefined || value === null || value === '') return null;
    const text = toDecimalText(value);
    if (text !== null) return text;
    context.addIssue('not a number');
    return z.NEVER;
  });

/** A time in ms since the epoch, in text or as JSON number. */
export const timeMs = z.unknown().transform((value, context) => {
  const time = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof time === 'number' && Number.isSafeInteger(time) && time > 0) return time;
  context.addIssue('not a time');
  return z.NEVER;
});

/** A time that a venue may leave out, empty or at 0. */
export const optionalTimeMs = z
  .unknown()
  .optional()
  .transform((value) => {
    const time = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return typeof time === 'number' && Number.isSafeInteger(time) && time > 0 ? time : null;
  });

/**
 * A number of a JSON answer. The client's parser quotes all numbers of an answer in which one exceeds 2^53, so any may
 * reach us as text.
 */
export const plainNumber = z.unknown().transform((value, context) => {
  const number = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  context.addIssue('not a number');
  return z.NEVER;
});

/** A name or number that identifies something; numbers above 2^53 reach us as text. */
export const identifier = z.unknown().transform((value, context) => {
  if (typeof value === 'string' && /^[\w-]{1,128}$/.test(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  context.addIssue('not an identifier');
  return z.NEVER;
});

/**
 * A venue's answer in our schema's shape.
 * @throws GatewayError `bad_response` for any other answer, of which the error keeps nothing
 */
export function readShape<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer);
  if (!result.success) throw new GatewayError('bad_response');
  return result.data;
}
