import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, paging, timestamp } from '../fields.ts';
import { refined } from '../refined.ts';

/** A run that invoices closed positions. Amounts are USDT. */
const run = z
  .object({
    id,
    /** The trader or community of the run; both null: all. */
    trader_id: id.nullable(),
    community_id: id.nullable(),
    state: z.enum(['running', 'done']),
    traders: z.int(),
    positions: z.int(),
    invoices: z.int(),
    amount: decimalString,
    requested_by: z.string(),
    /** Number of traders not invoiced, or not in full. */
    problem_count: z.int(),
    /** Messages about its invoices that are on their way, and that did not arrive. */
    messages: z.object({ waiting: z.int(), failed: z.int() }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'InvoicingRun' });

const problem = z.object({
  trader_id: id,
  reference_number: z.string().nullable(),
  reason: z.enum(['split_exceeds_invoice', 'no_deposit_address', 'failed', 'unknown_profit']),
});

export const invoicingCalls = entries({
  'GET /api/invoices/runs': {
    permission: 'super',
    recentAuth: false,
    summary: 'Invoicing runs, latest first',
    query: z.strictObject(paging),
    answer: page(run, { total: z.int() }),
    errors: [],
  },
  'GET /api/invoices/runs/{id}': {
    permission: 'super',
    recentAuth: false,
    summary: 'An invoicing run with the traders that it could not invoice',
    params: byId,
    answer: ok(run.extend({ problems: z.array(problem) })),
    errors: ['not_found'],
  },
  'POST /api/invoices/runs': {
    permission: 'super',
    recentAuth: false,
    idempotent: true,
    summary:
      'Starts an invoicing run for a trader, a community or all traders; returns the one under way if there is one',
    body: refined(
      z.strictObject({ trader_id: id.optional(), community_id: id.optional() }),
      (body) => !(body.trader_id && body.community_id),
    ),
    answer: ok(run),
    status: 201,
    errors: ['not_found'],
    perMinute: 30,
  },
});
