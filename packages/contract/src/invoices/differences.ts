import { EXCHANGES } from '@copydesk/domain/catalogue';
import { DIFFERENCE_KINDS } from '@copydesk/domain/invoices';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, line, paging, timestamp } from '../fields.ts';

const kind = z.enum(DIFFERENCE_KINDS);
const DEDUCTED_KINDS = DIFFERENCE_KINDS.filter((each) => each !== 'unread_closes');

const trader = z.object({
  id,
  name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  reference_number: z.string().nullable(),
  community: z.object({ id, name: z.string() }),
});

const deduction = z.object({
  id,
  trader,
  provider_name: z.string(),
  /** The invoice that charged too much. */
  invoice_id: id,
  symbol: z.string(),
  /** USDT, as it was decided. */
  amount: decimalString,
  /** USDT that invoices were already lowered by. */
  used: decimalString,
  /** USDT that the next invoices will be lowered by. */
  left: decimalString,
  decided_by: z.string(),
  decided_at: timestamp,
});

const difference = z.object({
  kind,
  /** Of the position, or of the account whose positions were not read. */
  id,
  /** What differs, for the decision. */
  seen: z.string(),
  found_at: timestamp,
  trader,
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
  /** What was deducted from next invoices for it before, USDT; null: nothing. */
  deducted: decimalString.nullable(),
  /** The time of which nothing was read; null: of one close. */
  unread: z.object({ since: timestamp, until: timestamp }).nullable(),
});

export const differenceCalls = entries({
  'GET /api/invoices/differences': {
    permission: 'super',
    recentAuth: false,
    summary:
      'Where invoices and exchanges differ and nobody has decided it: profits that an exchange corrected afterwards, closes that were invoiced twice, and what closed before an account was removed and was never read. Latest first',
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
  'POST /api/invoices/differences/deduct': {
    permission: 'super',
    recentAuth: true,
    summary:
      'Deducts what an invoice charged too much from the next invoices of the same community and provider. No money moves',
    body: z.strictObject({ kind: z.enum(DEDUCTED_KINDS), id, seen: line }),
    answer: ok(z.object({ kind, id, amount: decimalString })),
    errors: ['not_found', 'nothing_to_deduct'],
    idempotent: true,
  },
  'GET /api/invoices/deductions': {
    permission: 'super',
    recentAuth: false,
    summary: 'Deductions that next invoices are still less by, latest first',
    query: z.strictObject(paging),
    answer: page(deduction, { total: z.int() }),
    errors: [],
  },
  'POST /api/invoices/deductions/{id}/end': {
    permission: 'super',
    recentAuth: true,
    summary: 'Ends what no invoice has used of a deduction: next invoices are not less by it. No money moves',
    params: byId,
    body: z.strictObject({
      /** What is left, USDT, as its author saw it. */
      left: decimalString,
    }),
    answer: ok(z.object({ id, ended: decimalString })),
    errors: ['not_found', 'changed_meanwhile'],
    idempotent: true,
  },
});
