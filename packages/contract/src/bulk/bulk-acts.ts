import {
  BULK_ACTS,
  BULK_LISTS,
  BULK_OUTCOMES,
  BULK_REASONS,
  BULK_STATES,
  type BulkAct,
  type BulkList,
} from '@copydesk/domain/bulk';
import { TRADER_STATUSES } from '@copydesk/domain/traders';
import { z } from 'zod';
import { type Entry, entries, ok, page } from '../entry.ts';
import { accountCalls, exchangeCalls } from '../exchanges/index.ts';
import { parseExport } from '../exports/index.ts';
import { byId, decimalString, id, paging, timestamp } from '../fields.ts';
import { invoiceActCalls } from '../invoices/index.ts';
import { refinedBy } from '../refined.ts';
import { traderCalls } from '../traders/index.ts';

/**
 * The call that does the same to one trader: a caller that may not make it may not make it in bulk either.
 */
export const BULK_CALLS = {
  status: 'PATCH /api/traders/{id}',
  read: 'POST /api/traders/{id}/refresh-aum',
  notify: 'POST /api/invoices/trader/{id}/notify',
  ask_key: 'POST /api/traders/{id}/ask-key',
} as const satisfies Record<BulkAct, string>;

const calls = { ...traderCalls, ...exchangeCalls, ...invoiceActCalls };
/** What that call is: its permission, and the capability for it. */
export const bulkEntry = (act: BulkAct): Entry => calls[BULK_CALLS[act]];

/** Values as they are in an address. */
const inAddress = z.record(z.string().max(50), z.string().max(1_000));

/** Accounts have no export: their filters are those of the list itself, without its page. */
const accountFilters = accountCalls['GET /api/accounts'].query.omit({ limit: true, offset: true });

/**
 * The filters of a list, as its own export call parses them.
 * @throws z.ZodError where that call would refuse them
 */
export const parseMatching = (list: BulkList, query: Record<string, string>) =>
  list === 'accounts'
    ? accountFilters.parse(query)
    : (parseExport(list, { query }).query as Record<string, unknown>);

const MOST_NAMED = 1_000;
const asked = {
  act: z.enum(BULK_ACTS),
  status: z.enum(TRADER_STATUSES).optional().describe('of the act "status": the one that is set'),
  trader_ids: z.array(id).min(1).max(MOST_NAMED).optional(),
  matching: z
    .strictObject({
      list: z.enum(BULK_LISTS),
      query: inAddress.default({}).describe("the query of the list's own export call"),
      except: z.array(id).max(MOST_NAMED).default([]).describe('traders that are left out'),
    })
    .optional()
    .describe('all traders of a list as filtered; of invoices and accounts, whoever they are of'),
};
type Given = z.infer<z.ZodObject<typeof asked>>;

function problemsOf({ act, status, trader_ids: ids, matching }: Given) {
  const issues: { path: string[]; message: string }[] = [];
  if ((ids === undefined) === (matching === undefined))
    issues.push({ path: ['trader_ids'], message: 'Name traders, or a list that they are all matches of' });
  if ((act === 'status') !== (status !== undefined))
    issues.push({ path: ['status'], message: 'Needed by the act "status", and by no other' });
  if (matching) {
    try {
      parseMatching(matching.list, matching.query);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      for (const issue of error.issues)
        issues.push({ path: ['matching', 'query', ...issue.path.map(String)], message: issue.message });
    }
  }
  return issues.map((issue) => ({ ...issue, code: 'custom' as const }));
}

const planned = z.object({
  trader_id: id,
  name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  reference_number: z.string().nullable(),
  /** Why the trader would be left as it is; null: the act would be done. */
  reason: z.enum(BULK_REASONS).nullable(),
  /** Of the act "status": the present one. */
  before: z.string().nullable(),
  /** Of the act "notify": what is unpaid, in USDT. */
  amount: decimalString.nullable(),
});
export type PlannedRow = z.infer<typeof planned>;

const bulkAct = z
  .object({
    id,
    act: z.enum(BULK_ACTS),
    status: z.string().nullable(),
    state: z.enum(BULK_STATES),
    total: z.int(),
    done: z.int(),
    left_out: z.int(),
    failed: z.int(),
    /** Until then it can be stopped before anything was done. */
    begins_at: timestamp,
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'BulkAct' });
export type BulkActRow = z.infer<typeof bulkAct>;

const reads = { permission: 'staff', capability: 'traders:read', recentAuth: false } as const;
/** What every act needs; one for super admins is refused to others. */
const acts = { permission: 'staff', capability: 'traders:write', recentAuth: false } as const;

export const bulkCalls = entries({
  'POST /api/bulk-acts/preview': {
    ...acts,
    summary: 'What a bulk act would do to each trader of a selection. Nothing changes',
    body: refinedBy(z.strictObject(asked), problemsOf),
    answer: ok(
      z.object({
        total: z.int(),
        /** Traders to which it would be done. */
        will: z.int(),
        left_out: z.array(z.object({ reason: z.enum(BULK_REASONS), count: z.int() })),
        /** USDT, of the traders to which it would be done; null: the act is about no amount. */
        amount: decimalString.nullable(),
        rows: z.array(planned).describe('the first 200, those to which it would be done before the others'),
      }),
    ),
    errors: ['person_required', 'not_found', 'bulk_too_many'],
    perMinute: 120,
  },
  'POST /api/bulk-acts': {
    ...acts,
    summary: 'Orders a bulk act, which a worker does trader by trader',
    body: refinedBy(
      z.strictObject({
        ...asked,
        expected_count: z
          .int()
          .min(1)
          .describe('how many traders it was said to be done to: refused when it differs'),
      }),
      problemsOf,
    ),
    answer: ok(bulkAct),
    status: 202,
    idempotent: true,
    errors: ['person_required', 'not_found', 'bulk_too_many', 'bulk_selection_changed', 'bulk_unfinished'],
  },
  'GET /api/bulk-acts': {
    ...reads,
    summary: 'Bulk acts of the caller, newest first, of the last 30 days',
    answer: ok(z.array(bulkAct)),
    errors: ['person_required'],
  },
  'GET /api/bulk-acts/{id}/rows': {
    ...reads,
    summary: 'What became of each trader of a bulk act',
    params: byId,
    query: z.strictObject({ outcome: z.enum(BULK_OUTCOMES).optional(), ...paging }),
    answer: page(
      z.object({
        /** null: deleted, or no longer seen by the caller. */
        trader_id: id.nullable(),
        name: z.string().nullable(),
        telegram_username: z.string().nullable(),
        reference_number: z.string().nullable(),
        outcome: z.enum(BULK_OUTCOMES).nullable(),
        reason: z.enum(BULK_REASONS).nullable(),
      }),
      { total: z.int() },
    ),
    errors: ['person_required', 'not_found'],
  },
  'POST /api/bulk-acts/{id}/stop': {
    ...acts,
    summary: 'Stops a bulk act: what is not done of it stays undone',
    params: byId,
    answer: ok(bulkAct),
    errors: ['person_required', 'not_found', 'bulk_ended'],
  },
  'POST /api/bulk-acts/{id}/retry': {
    ...acts,
    summary: 'Tries what failed of a bulk act again',
    params: byId,
    answer: ok(bulkAct),
    errors: ['person_required', 'not_found', 'bulk_nothing_failed', 'bulk_unfinished'],
  },
});
