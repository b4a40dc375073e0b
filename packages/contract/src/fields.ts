import { PASSWORD_MAX, PASSWORD_MIN } from '@copydesk/domain/access';
import { cleanLine, cleanPasted, EMAIL_PATTERN, emailInAscii, searchedText } from '@copydesk/domain/text';
import { z } from 'zod';
import { refined } from './refined.ts';

/** Maximum length of free text in any field. */
const MAX_TEXT = 200;

const lineOf = (clean: (typed: string) => string) =>
  z
    .string()
    .overwrite(clean)
    .min(1)
    .max(MAX_TEXT)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, and no name holds a control character
    .regex(/^[^\u0000-\u001f\u007f]*$/);

/** A line of text, without what pasting adds and without control characters, of at most 200 characters. */
export const line = lineOf(cleanLine);

/** What a list is searched for. */
export const searched = lineOf(searchedText);

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

/** An e-mail address, wherever one is typed: one form for one person. */
export const email = z
  .string()
  .overwrite(emailInAscii)
  .max(254)
  .check(z.email({ pattern: EMAIL_PATTERN }));
export const password = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX);
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

/** The calendar of PostgreSQL has no year 0. */
const FIRST_YEAR = '0001';
/** A day of a filter, UTC. */
export const day = refined(z.iso.date(), (text) => text >= FIRST_YEAR);
/** A time of a filter, or a whole day (UTC). */
export const moment = refined(z.union([z.iso.datetime(), z.iso.date()]), (text) => text >= FIRST_YEAR);
/** A time that is stored. */
export const storedTime = refined(timestamp, (text) => text >= FIRST_YEAR);

/** The address of a wallet as it is pasted. The server decides whether it may be paid. */
export const walletAddress = z.string().overwrite(cleanPasted).max(42);
/** Likewise, of 40 hexadecimal digits. */
export const hexAddress = z
  .string()
  .overwrite(cleanPasted)
  .regex(/^0x[0-9a-fA-F]{40}$/);
/** The number of a person at Telegram, within 52 bits. */
export const telegramNumber = z
  .string()
  .overwrite(cleanPasted)
  .regex(/^[1-9]\d{0,15}$/, 'Invalid input');
/** The version of a row that an author saw: an integer of the database. */
export const rowVersion = z.int().min(0).max(2_147_483_647);
/** A fingerprint of the values that a form shows. A change that names it is refused once they are others. */
export const seenVersion = z.string().regex(/^[0-9a-f]{16}$/, 'Invalid input');
/** The same in a change. Programs that change single values need not have read them before. */
export const seenBefore = seenVersion
  .optional()
  .describe('the version of what the author saw; without it, the change is made whatever the values are');

/** Money on the wire: a decimal string, never a float. */
export const decimalString = z.string().regex(/^-?\d+(\.\d+)?$/);

/** USDT with at most 18 decimals, above zero. */
export const usdtAmount = refined(z.string().regex(/^\d{1,20}(\.\d{1,18})?$/), (text) => /[1-9]/.test(text));

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
  offset: refined(queryInteger(0, 1_000_000_000), (offset) => offset <= DEEPEST, {
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
  .overwrite(cleanPasted)
  .regex(/^\d{5,15}:[\w-]{20,100}$/, 'Enter the token that BotFather gave you')
  .describe('stored encrypted, and never shown again');

/** What the owner of a changed address said of it by Telegram, as a worker read it. */
export const ownerWord = z.object({ kind: z.enum(['confirmed', 'not_me']), read_at: timestamp });

/** What the chain knows of an address: read by a worker after it was entered. */
export const chainKnowledge = z.object({
  read_at: timestamp,
  is_contract: z.boolean(),
  /** A contract of tokens, which is never paid. */
  is_token: z.boolean(),
  /** Whether there is any trace of it: code, transactions, coin or the token. */
  is_used: z.boolean(),
});
