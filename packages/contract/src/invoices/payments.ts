import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, hexAddress, id, line, paging, timestamp } from '../fields.ts';
import { waitsForOrder } from '../transfers/orders.ts';

/** Money received for a trader, USDT. */
const unmatchedPayment = z.object({
  id,
  trader: z.object({
    id,
    name: z.string().nullable(),
    telegram_username: z.string().nullable(),
    reference_number: z.string().nullable(),
    community: z.object({ id, name: z.string() }),
    payout_address: z.string().nullable(),
  }),
  /** The full amount. */
  amount: decimalString,
  /** The part not applied to an invoice yet. */
  open_amount: decimalString,
  transaction_hash: z.string().nullable(),
  received_at: timestamp,
  /** Whether a tip or a return of it waits for another super admin. */
  is_awaiting_approval: z.boolean(),
  /** What of it is being sent back to its trader; null: nothing. */
  returning: z
    .object({
      amount: decimalString,
      to_address: z.string(),
      transaction_hash: z.string().nullable(),
      /** Why it does not proceed: a code. */
      problem: z.string().nullable(),
    })
    .nullable(),
});

/** A transfer of another token to an address of ours, which is never booked. */
const otherTransfer = z.object({
  token_address: z.string(),
  /** As the contract says, in letters and digits: anyone can call a token anything. Null: it says none. */
  symbol: z.string().nullable(),
  /** In whole tokens where the contract says how many decimals it has; base units otherwise. */
  amount: decimalString,
  has_decimals: z.boolean(),
  from_address: z.string(),
  to_address: z.string(),
  /** Whose deposit address it reached; null: another wallet of ours. */
  trader: z.object({ id, name: z.string().nullable(), reference_number: z.string().nullable() }).nullable(),
  transaction_hash: z.string(),
  seen_at: timestamp,
});

export const paymentCalls = entries({
  'GET /api/payments/other-tokens': {
    permission: 'super',
    recentAuth: false,
    summary: 'Transfers of other tokens to addresses of ours, latest first. They are listed and never booked',
    query: z.strictObject(paging),
    answer: page(otherTransfer, {
      total: z.int(),
      /** By contract, those with most transfers first; at most 20. */
      tokens: z.array(
        z.object({
          token_address: z.string(),
          symbol: z.string().nullable(),
          transfers: z.int(),
          amount: decimalString,
        }),
      ),
    }),
    errors: [],
  },
  'GET /api/payments/unmatched': {
    permission: 'super',
    recentAuth: false,
    summary: 'Payments that wait for an invoice of their trader or are being sent back, latest first',
    query: z.strictObject(paging),
    answer: page(unmatchedPayment, {
      total: z.int(),
      /** Those that wait for an invoice, and the sum of their open amounts. */
      waiting: z.int(),
      total_amount: decimalString,
      /** Those of which credit is being sent back. */
      returning: z.int(),
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
  'POST /api/payments/{id}/return': {
    permission: 'super',
    recentAuth: true,
    summary: 'Sends what no invoice took of a payment, the credit of its trader, back to its payout address',
    params: byId,
    body: z.strictObject({
      /** As the caller saw it, USDT. */
      amount: decimalString,
      /** As the caller saw it. */
      to_address: hexAddress,
      reason: line,
    }),
    answer: ok(z.object(waitsForOrder)),
    mayWait: true,
    errors: [
      'not_found',
      'credit_changed',
      'credit_not_on_chain',
      'no_payout_address',
      'address_held',
      'address_is_token',
      'wallet_not_ready',
      'above_maximum',
      'order_waits',
      'person_required',
    ],
    idempotent: true,
  },
});
