import { LINE_OUTCOMES, LINE_REASONS, RUN_PROBLEMS, RUN_STATES } from '@copydesk/domain/invoices';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, paging, searched, timestamp } from '../fields.ts';
import { refined } from '../refined.ts';

/** A run that invoices closed positions. Amounts are USDT. */
const run = z
  .object({
    id,
    /** The trader or community of the run, with what it is called; all null: all traders. */
    trader_id: id.nullable(),
    trader: z.string().nullable(),
    community_id: id.nullable(),
    community: z.string().nullable(),
    state: z.enum(RUN_STATES),
    /** Traders that it has looked at. */
    traders: z.int(),
    /** What it invoiced; of a draft, what it would invoice now. */
    positions: z.int(),
    invoices: z.int(),
    amount: decimalString,
    /** Traders below the minimum, and what is carried to the next run. */
    carried: z.int(),
    carried_amount: decimalString,
    /** Of its invoices, those that were recalled since. */
    recalled: z.int(),
    recalled_amount: decimalString,
    requested_by: z.string(),
    /** When it was prepared as a draft: it is about what was known then. Null: it was sent at once. */
    drafted_at: timestamp.nullable(),
    sent_by: z.string().nullable(),
    /** Number of traders not invoiced, or not in full, for a reason to look at. */
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
  reason: z.enum(RUN_PROBLEMS),
});

/** A trader of a run. */
const line = z.object({
  trader_id: id,
  name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  reference_number: z.string().nullable(),
  community_id: id,
  community: z.string(),
  outcome: z.enum(LINE_OUTCOMES),
  /** Why something is not invoiced; beside an amount, why it is not all. */
  reason: z.enum(LINE_REASONS).nullable(),
  invoices: z.int(),
  positions: z.int(),
  amount: decimalString,
  carried: decimalString,
  /** Whether Telegram messages can reach it: it has a Telegram ID. */
  is_reachable: z.boolean(),
});
export type RunLine = z.infer<typeof line>;

const lineSum = z.object({ traders: z.int(), amount: decimalString });
/** What the person who sends a draft saw. */
const seen = z.strictObject({ invoices: z.int().min(1), amount: decimalString });
const ofDraft = ['not_found', 'run_not_draft'] as const;

const lineFilters = {
  outcome: z.enum(LINE_OUTCOMES).optional(),
  unreachable: z.enum(['true', 'false']).optional().describe('without a Telegram ID, or with one'),
  search: searched.optional(),
};

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
    answer: ok(
      run.extend({
        /** The run before it with the same reach that is done. */
        previous: z
          .object({ id, finished_at: timestamp, invoices: z.int(), amount: decimalString })
          .nullable(),
        problems: z.array(problem),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/invoices/runs/{id}/lines': {
    permission: 'super',
    recentAuth: false,
    summary:
      'The traders of an invoicing run: what each is invoiced or would be, or why not; the largest amount first',
    params: byId,
    query: z.strictObject({ ...lineFilters, ...paging }),
    answer: page(line, {
      /** Traders that match every filter. */
      total: z.int(),
      /** All traders of the run, whatever the filters; amounts are carried ones of `carried`. */
      outcomes: z.object({ invoice: lineSum, excluded: lineSum, carried: lineSum, left_out: lineSum }),
      /** Of those to invoice, without a Telegram ID. */
      unreachable: z.int(),
    }),
    errors: ['not_found'],
  },
  'PATCH /api/invoices/runs/{id}/lines': {
    permission: 'super',
    recentAuth: false,
    summary: 'Leaves traders out of a draft, or takes them in again: those named, or all that match',
    params: byId,
    body: refined(
      z.strictObject({
        trader_ids: z.array(id).min(1).max(1_000).optional(),
        matching: z.strictObject(lineFilters).optional().describe('filters as of its lines; none: all'),
        excluded: z.boolean(),
      }),
      ({ trader_ids, matching }) => (trader_ids === undefined) !== (matching === undefined),
      { error: 'Either traders or filters' },
    ),
    answer: ok(run),
    errors: [...ofDraft],
  },
  'POST /api/invoices/runs/{id}/send': {
    permission: 'super',
    recentAuth: false,
    idempotent: true,
    summary:
      'Sends a draft: its traders are invoiced as it shows, without those that were left out, and notified. Whoever is due something else by now is left out',
    params: byId,
    body: seen.describe('what the caller saw: refused when it differs'),
    answer: ok(run),
    errors: [...ofDraft, 'run_changed'],
    perMinute: 30,
  },
  'POST /api/invoices/runs/{id}/discard': {
    permission: 'super',
    recentAuth: false,
    summary: 'Discards a draft. No trader is invoiced or notified',
    params: byId,
    answer: ok(run),
    errors: [...ofDraft],
  },
  'POST /api/invoices/runs': {
    permission: 'super',
    recentAuth: false,
    idempotent: true,
    summary:
      'Starts an invoicing run for a trader, a community or all traders, or prepares a draft of one; returns the one under way if there is one and none is drafted',
    body: refined(
      z.strictObject({
        trader_id: id.optional(),
        community_id: id.optional(),
        draft: z
          .boolean()
          .optional()
          .describe('prepares a draft, which invoices and notifies no trader until it is sent'),
      }),
      (body) => !(body.trader_id && body.community_id),
    ),
    answer: ok(run),
    status: 201,
    errors: ['not_found'],
    perMinute: 30,
  },
});
