import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import { byId, decimalString, id, line, paging, timestamp } from './fields.ts';
import { waitsForOrder } from './orders.ts';

/** Money received for a trader, USDT. */
const unmatchedPayment = z.object({
  id,
  trader: z.object({
    id,
    name: z.string().nullable(),
    telegram_username: z.string().nullable(),
    reference_number: z.string().nullable(),
    community: z.object({ id, name: z.string() }),
  }),
  /** The full amount. */
  amount: decimalString,
  /** The part not applied to an invoice yet. */
  open_amount: decimalString,
  transaction_hash: z.string().nullable(),
  received_at: timestamp,
});

export const paymentCalls = entries({
  'GET /api/payments/unmatched': {
    permission: 'super',
    recentAuth: false,
    summary: 'Payments that wait for an invoice of their trader, latest first',
    query: z.strictObject(paging),
    answer: page(unmatchedPayment, {
      total: z.int(),
      /** The sum of all open amounts. */
      total_amount: decimalString,
    }),
    errors: [],
  },
  'POST /api/payments/{id}/tip': {
    permission: 'super',
    recentAuth: true,
    summary:
      'Turns what no invoice took of a payment, the credit of its trader, into a tip on the invoice that it paid last',
    params: byId,
    body: z.strictObject({
      /** As the caller saw it, USDT. */
      amount: decimalString,
      reason: line,
    }),
    answer: ok(z.object(waitsForOrder)),
    mayWait: true,
    errors: ['not_found', 'credit_changed', 'nothing_paid_yet', 'order_waits', 'person_required'],
    idempotent: true,
  },
});
