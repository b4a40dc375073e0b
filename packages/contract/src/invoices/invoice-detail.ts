import { EXCHANGES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { OFF_PLATFORM_REASONS, RECALL_REFUSALS, UNPAID_REFUSALS } from '@copydesk/domain/invoices';
import { POSITION_SIDES } from '@copydesk/domain/trading';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, paging, timestamp } from '../fields.ts';
import { invoice } from './invoices.ts';

/** A part of an invoice, and its state on the way to the recipient. Amounts are USDT. */
const share = z.object({
  recipient_type: z.enum(RECIPIENT_TYPES),
  amount: decimalString,
  /** `frozen`: not paid in yet, or settled off-platform. `due`: waits for a payout. */
  state: z.enum(['frozen', 'due', 'in_payout', 'paid']),
  /** The recipient's address, once it is due; null while unknown. */
  recipient_address: z.string().nullable(),
});

const payment = z.object({
  amount: decimalString,
  /** The part above the invoice's amount. */
  tip: decimalString,
  transaction_hash: z.string().nullable(),
  received_at: timestamp,
});

const invoiceDetail = invoice
  .extend({
    community_name: z.string(),
    commission_rate: decimalString,
    /** How it was settled; null while it is not. */
    settled_by: z.enum(['chain', 'manual', 'pool']).nullable(),
    /** Whether it is the fee of a harvest cycle, which the pool pays out of the member's virtual balance. */
    is_of_pool: z.boolean(),
    paid_at: timestamp.nullable(),
    /** The parts settled elsewhere, by reason; empty when there are none. */
    off_platform: z.array(z.object({ amount: decimalString, reason: z.enum(OFF_PLATFORM_REASONS) })),
    /** Why it cannot be marked as unpaid; null when it can, or is not paid. */
    unpaid_refusal: z.enum(UNPAID_REFUSALS).nullable(),
    /** Why it cannot be recalled; null: it can be. */
    recall_refusal: z.enum(RECALL_REFUSALS).nullable(),
    /** Lines that lowered the amount, for what earlier invoices charged too much; empty when there are none. */
    deductions: z.array(z.object({ amount: decimalString, invoice_id: id, symbol: z.string() })),
    split: z.array(share),
    payments: z.array(payment),
  })
  .meta({ id: 'InvoiceDetail' });

const invoicedPosition = z
  .object({
    id,
    exchange: z.enum(EXCHANGES),
    acc_uid: z.string(),
    symbol: z.string(),
    side: z.enum(POSITION_SIDES),
    entry_price: decimalString.nullable(),
    exit_price: decimalString.nullable(),
    leverage: decimalString.nullable(),
    /** USD */
    closed_pnl: decimalString,
    closed_at: timestamp,
  })
  .meta({ id: 'InvoicedPosition' });

export const invoiceDetailCalls = entries({
  'GET /api/invoices/{id}': {
    permission: 'staff',
    capability: 'invoices:read',
    recentAuth: false,
    serviceScope: 'invoices:read',
    summary: 'An invoice with its split and payments',
    params: byId,
    answer: ok(invoiceDetail),
    errors: ['not_found'],
  },
  'GET /api/invoices/{id}/positions': {
    permission: 'staff',
    capability: 'invoices:read',
    recentAuth: false,
    serviceScope: 'invoices:read',
    summary: 'The closed positions in scope of an invoice, latest first',
    params: byId,
    query: z.strictObject(paging),
    answer: page(invoicedPosition, { total: z.int(), profit: decimalString }),
    errors: ['not_found'],
  },
});
