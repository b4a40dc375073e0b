import { DIFFERENCE_KINDS, EXCHANGES } from '@copydesk/domain';
import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import { decimalString, id, line, paging, timestamp } from './fields.ts';

const kind = z.enum(DIFFERENCE_KINDS);

const difference = z.object({
  kind,
  /** Of the position, or of the account whose positions were not read. */
  id,
  /** What differs, for the decision. */
  seen: z.string(),
  found_at: timestamp,
  trader: z.object({
    id,
    name: z.string().nullable(),
    telegram_username: z.string().nullable(),
    reference_number: z.string().nullable(),
    community: z.object({ id, name: z.string() }),
  }),
  provider_name: z.string(),
  exchange: z.enum(EXCHANGES),
  acc_uid: z.string(),
  symbol: z.string().nullable(),
  invoice_id: id.nullable(),
  /** The other invoice of a doubled close. */
  other_invoice_id: id.nullable(),
  /** USD; null: of positions that were not read. */
  invoiced_profit: decimalString.nullable(),
  /** USD, as the exchange says now; null: of a doubled close, and of what was not read. */
  reported_profit: decimalString.nullable(),
  /** USDT that the invoice is too high by; below zero: too low. Null: not known. */
  amount: decimalString.nullable(),
  /** The time of which nothing was read; null: of one close. */
  unread: z.object({ since: timestamp, until: timestamp }).nullable(),
});

export const differenceCalls = entries({
  'GET /api/invoices/differences': {
    permission: 'super',
    recentAuth: false,
    summary:
      'Where invoices and exchanges differ: profits that an exchange corrected afterwards, closes that were invoiced twice, and what closed before an account was removed and was never read. Latest first',
    query: z.strictObject(paging),
    answer: page(difference, { total: z.int() }),
    errors: [],
  },
  'POST /api/invoices/differences/dismiss': {
    permission: 'super',
    recentAuth: false,
    summary: 'Leaves a difference as it is. It is listed again once it changes',
    body: z.strictObject({ kind, id, seen: line }),
    answer: ok(z.object({ kind, id })),
    errors: ['not_found'],
  },
});
