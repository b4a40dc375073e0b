import { z } from 'zod';
import { entries, page } from './entry.ts';
import { decimalString, id, paging, timestamp } from './fields.ts';

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
});
