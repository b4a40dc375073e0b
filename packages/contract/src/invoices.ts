import { EXCHANGES } from '@copydesk/domain/catalogue';
import {
  INVOICE_FILTER_STATUSES,
  INVOICE_FILTER_TYPES,
  INVOICE_STATUSES,
  INVOICE_TABS,
  INVOICE_TYPES,
} from '@copydesk/domain/invoices';
import { z } from 'zod';
import { entries, page } from './entry.ts';
import {
  byId,
  decimalString,
  deepPaging,
  flag,
  id,
  line,
  moment,
  nextCursor,
  orderDir,
  paging,
  searched,
  searchIn,
  timestamp,
} from './fields.ts';

const exchange = z.enum(EXCHANGES);
/** USDT, as typed into a filter. */
const amount = z.string().regex(/^\d{1,20}(\.\d{1,18})?$/);

const invoiceTrader = z.object({
  id,
  name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  reference_number: z.string().nullable(),
});

/** An invoice. Amounts are USDT. */
export const invoice = z
  .object({
    id,
    trader_id: id,
    amount: decimalString,
    asked_amount: decimalString.describe(
      'What a payer is asked to send: whole millionths, rounded up, since many wallets send no smaller part',
    ),
    paid_amount: decimalString,
    /** The amount known to have arrived on chain. */
    on_chain_amount: decimalString,
    /** The amount settled elsewhere: marked as paid by hand, or imported as paid and not on chain. */
    off_platform_amount: decimalString,
    /** The provider's part of the amount: none of a sale by a bot. */
    provider_share: decimalString,
    payment_address: z.string(),
    is_paid: z.boolean(),
    is_archived: z.boolean(),
    /** Open and past its due date. */
    is_overdue: z.boolean(),
    /** Whether writing it off waits for another super admin. For staff always false. */
    is_awaiting_approval: z.boolean(),
    status: z.enum(INVOICE_STATUSES),
    invoice_type: z.enum(INVOICE_TYPES),
    community_id: id,
    exchange: exchange.nullable(),
    trader: invoiceTrader,
    provider: z.object({ id, name: z.string() }).nullable(),
    due_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Invoice' });

/** The matching invoices of one reference number in one tab. */
const invoiceGroup = z
  .object({
    /** `unknown` for the invoices of all traders without one. */
    reference_number: z.string(),
    /** null for several traders. */
    trader: invoiceTrader.nullable(),
    total_amount: decimalString,
    paid_amount: decimalString,
    on_chain_amount: decimalString,
    off_platform_amount: decimalString,
    provider_share: decimalString,
    invoice_count: z.int(),
    /** More than one only when the reference number is unknown. */
    trader_count: z.int(),
    /** Whether all its invoices are paid. */
    is_paid: z.boolean(),
    is_archived: z.boolean(),
    /** Whether its traders also have invoices outside the caller's scope. */
    is_part: z.boolean(),
    pending_count: z.int(),
    cancelled_count: z.int(),
    /** Open, not yet past the due date. */
    due_count: z.int(),
    overdue_count: z.int(),
    part_paid_count: z.int(),
    overpaid_count: z
      .int()
      .describe('paid with at least a millionth of a USDT more than their amount: less is due to rounding'),
    /** Creation of the latest invoice. */
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'InvoiceGroup' });

const INVOICE_ORDERS = ['created_at', 'updated_at', 'amount', 'status'] as const;
const GROUP_ORDERS = ['created_at', 'updated_at', 'amount'] as const;

export const invoiceFilters = {
  is_paid: flag.optional(),
  status: z.enum(INVOICE_FILTER_STATUSES).optional(),
  invoice_type: z.enum(INVOICE_FILTER_TYPES).default('all'),
  exchange: exchange.optional(),
  trader_id: id.optional(),
  community_id: id.optional(),
  provider_id: id.optional(),
  created_at_from: moment.optional(),
  created_at_to: moment.optional().describe('the moment or day is included'),
  min_amount: amount.optional(),
  max_amount: amount.optional(),
  search: searched.optional().describe('part of a reference number, in any case'),
  search_in: searchIn.optional(),
  reference_number: line.optional().describe('a reference number, or "unknown" for traders that have none'),
  is_overdue: flag.optional(),
};

const listQuery = {
  ...invoiceFilters,
  include_archived: flag.optional(),
  is_archived: flag
    .optional()
    .describe('only archived invoices, or only the others; takes precedence over include_archived'),
  orderBy: z.enum(INVOICE_ORDERS).optional(),
  orderDir: orderDir.optional(),
};
const invoiceListQuery = z.strictObject({ ...listQuery, ...deepPaging });
const { trader_id: _trader, ...ofTrader } = invoiceListQuery.shape;
const { community_id: _community, ...ofCommunity } = invoiceListQuery.shape;

const totals = {
  total: z.int(),
  /** Sum of all matches, USDT. */
  total_amount: decimalString,
  /** When count and sum were computed. */
  totals_at: timestamp,
  next_cursor: nextCursor,
};
const read = {
  permission: 'staff',
  capability: 'invoices:read',
  serviceScope: 'invoices:read',
  recentAuth: false,
} as const;

export const invoiceCalls = entries({
  'GET /api/invoices/admin/all': {
    ...read,
    summary: 'Invoices in scope: a page, with count and sum of all matches',
    query: invoiceListQuery,
    answer: page(invoice, totals),
    errors: ['invalid_cursor'],
  },
  'GET /api/invoices/admin/groups': {
    ...read,
    summary:
      'Invoices in scope by the reference number of their trader: a page of groups, with counts by tab',
    query: z.strictObject({
      ...invoiceFilters,
      tab: z.enum(INVOICE_TABS).default('all'),
      orderBy: z.enum(GROUP_ORDERS).optional(),
      orderDir: orderDir.optional(),
      ...deepPaging,
    }),
    answer: page(invoiceGroup, {
      /** Number of groups in the tab. */
      total: z.int(),
      counts: z.object({ all: z.int(), unpaid: z.int(), paid: z.int(), archived: z.int() }),
      /** When the groups were counted. */
      totals_at: timestamp,
      next_cursor: nextCursor,
    }),
    errors: ['invalid_cursor'],
  },
  'GET /api/invoices/admin/groups/unknown': {
    ...read,
    summary: 'The traders in scope without a reference number: a page of groups, one per trader',
    query: z.strictObject({
      ...invoiceFilters,
      is_archived: flag.optional().describe('the groups of archived invoices, otherwise those of the rest'),
      orderBy: z.enum(GROUP_ORDERS).optional(),
      orderDir: orderDir.optional(),
      ...paging,
    }),
    answer: page(invoiceGroup, { total: z.int() }),
    errors: [],
  },
  'GET /api/invoices/community/{id}': {
    ...read,
    summary: 'Invoices of a community',
    params: byId,
    query: z.strictObject(ofCommunity),
    answer: page(invoice, totals),
    errors: ['not_found', 'invalid_cursor'],
  },
  'GET /api/invoices/trader/{id}': {
    ...read,
    summary: 'Invoices of a trader',
    params: byId,
    query: z.strictObject(ofTrader),
    answer: page(invoice, totals),
    errors: ['not_found', 'invalid_cursor'],
  },
  'GET /api/traders/{id}/invoices': {
    ...read,
    summary: 'Invoices of a trader, for the trader screen',
    params: byId,
    query: z.strictObject(ofTrader),
    answer: z.object({
      success: z.literal(true),
      invoices: z.array(invoice),
      total_count: z.int(),
      meta: z.object(totals),
    }),
    errors: ['not_found', 'invalid_cursor'],
  },
  'GET /api/invoices/export': {
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    summary: 'The filtered invoices as CSV, streamed',
    query: z.strictObject(listQuery),
    answer: { stream: 'text/csv' },
    errors: [],
    perMinute: 10,
  },
});
