import { EXCHANGES, LANGUAGES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { OFF_PLATFORM_REASONS, RECALL_REFUSALS, UNPAID_REFUSALS } from '@copydesk/domain/invoices';
import { POOL_FEE_BASES } from '@copydesk/domain/pools';
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

/** USDT that the invoice asks for beyond what explains it; below zero: less. Anything but 0 is worth a question. */
const unexplained = decimalString;
/** What the amount is made from. */
const basis = z
  .discriminatedUnion('kind', [
    /** The commission on positions that closed with a profit; losing ones are not counted, and no loss is carried. */
    z.object({
      kind: z.literal('positions'),
      /** Positions in scope that were charged. */
      positions: z.int(),
      /** Those whose exchange does not say whether fees are in the profit. */
      before_fees: z.int(),
      /** USD */
      profit: decimalString,
      /** USDT: profit × commission rate, rounded down. */
      commission: decimalString,
      /** USDT, for what earlier invoices charged too much. */
      deducted: decimalString,
      unexplained,
    }),
    /** The fee of a harvest cycle. Amounts are USDT. */
    z.object({
      kind: z.literal('cycle'),
      pool_id: id,
      cycle_number: z.int(),
      /** What the fee is on: the member's result after carried losses, or its part of the winning positions. */
      fee_basis: z.enum(POOL_FEE_BASES),
      /** The member's part of the result; below zero a loss. */
      result: decimalString,
      /** Its part of the profit of winning positions. */
      winners: decimalString,
      /** Losses of earlier cycles to make up: before this cycle, and after. */
      carried_before: decimalString,
      carried_after: decimalString,
      /** What the rate applies to. */
      charged_profit: decimalString,
      unexplained,
    }),
    /** A plan of a bot. Amounts are USDT. */
    z.object({
      kind: z.literal('order'),
      days: z.int(),
      price: decimalString,
      discount: decimalString,
      unexplained,
    }),
  ])
  .meta({ id: 'InvoiceBasis' });

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
    basis,
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
    provider_name: z.string(),
    symbol: z.string(),
    side: z.enum(POSITION_SIDES),
    entry_price: decimalString.nullable(),
    exit_price: decimalString.nullable(),
    leverage: decimalString.nullable(),
    /** In the units of the exchange; null: not read. */
    contracts: decimalString.nullable(),
    /** USD */
    closed_pnl: decimalString,
    /** Whether closed_pnl is net of trading fees. */
    fees_included: z.boolean(),
    opened_at: timestamp.nullable(),
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
  'GET /api/invoices/{id}/pdf': {
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    summary:
      'An invoice as a PDF in one of the languages of traders: its positions, rule, deductions, payments and what is open',
    params: byId,
    query: z.strictObject({
      language: z.enum(LANGUAGES).optional().describe("the trader's language when omitted"),
    }),
    answer: { stream: 'application/pdf' },
    errors: ['not_found', 'documents_busy'],
    perMinute: 60,
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
