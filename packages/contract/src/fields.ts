import { z } from 'zod';

/** Maximum length of free text in any field. */
const MAX_TEXT = 200;

/** A line of text, trimmed, without control characters, of at most 200 characters. */
export const line = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, and no name holds a control character
  .regex(/^[^\u0000-\u001f\u007f]*$/);

/** The fields that a search of traders covers. */
export const searchIn = z
  .enum(['reference', 'other'])
  .describe(
    'other: part of a name, Telegram name or id, e-mail, address or account, or the beginning of an invoice id or a transaction hash; at most 1,000 matches are taken',
  );

/** Like `line`, but null or an empty value clears the field. */
export const clearableLine = z
  .union([line, z.literal('').transform(() => null), z.null()])
  .describe('text of at most 200 characters; an empty value clears it');

export const email = z.email().max(254).trim().toLowerCase();
export const password = z.string().min(12).max(128);
export const id = z.uuid();
export const byId = z.strictObject({ id });

/** A boolean in a query string. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A whole number in a query string, within bounds. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, 'Expected number, received string')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const timestamp = z.iso.datetime();
/** Money on the wire: a decimal string, never a float. */
export const decimalString = z.string().regex(/^-?\d+(\.\d+)?$/);

/** USDT with at most 18 decimals, above zero. */
export const usdtAmount = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,18})?$/)
  .refine((text) => /[1-9]/.test(text), 'Invalid input');

/** `limit` and `offset` of a list. The specs require up to 10000 rows, which is also the maximum. */
export const paging = {
  limit: queryInteger(1, 10_000).optional(),
  offset: queryInteger(0, 10_000_000).optional(),
};

/** Maximum `offset` of a list: the rows before it are read for every page. */
const DEEPEST = 10_000;

/** `limit`, `offset` and `cursor` of a list with more rows than an offset reaches. */
export const deepPaging = {
  limit: paging.limit,
  offset: queryInteger(0, 1_000_000_000)
    .refine((offset) => offset <= DEEPEST, {
      error: `Invalid input: at most ${DEEPEST}; rows beyond are read with cursor, the next_cursor of another page`,
    })
    .optional()
    .describe('at most 10000; with a cursor it counts from the first row after the cursor'),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      'next_cursor of a page of the same list, order and filters: begins with the row after that page',
    ),
};
/** The cursor of the next page; null on the last one. */
export const nextCursor = z.string().nullable();
export const orderDir = z.enum(['asc', 'desc']);

/** The token of a Telegram bot (https://core.telegram.org/bots/api#authorizing-your-bot). */
export const botToken = z
  .string()
  .trim()
  .regex(/^\d{5,15}:[\w-]{20,100}$/, 'Enter the token that BotFather gave you')
  .describe('stored encrypted, and never shown again');
