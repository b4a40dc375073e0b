import { INVOICE_TABS, RECALL_REFUSALS } from '@copydesk/domain/invoices';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, decimalString, id, line } from '../fields.ts';
import { refined } from '../refined.ts';
import { orWaits } from '../transfers/orders.ts';
import { invoice, invoiceFilters } from './invoices.ts';

/** Invoices by their ids, of a run, whole groups as filtered on screen, or all groups of a tab that match. */
const selection = {
  invoice_ids: z.array(id).min(1).max(1_000).optional(),
  run_id: id.optional().describe('all invoices of an invoicing run'),
  groups: z
    .strictObject({
      reference_numbers: z
        .array(line)
        .min(1)
        .max(100)
        .describe('as in the grouped view; "unknown" alone, with a trader_id among the filters'),
      filters: z.strictObject(invoiceFilters).optional().describe('only invoices that match them'),
      in_archive: z.boolean().default(false).describe('the groups of the archived tab'),
    })
    .optional(),
  matching: z
    .strictObject({
      tab: z.enum(INVOICE_TABS).default('all'),
      filters: z.strictObject(invoiceFilters).optional(),
      except: z.array(line).max(1_000).default([]).describe('reference numbers that are left out'),
    })
    .optional()
    .describe('all groups of a tab, but for traders without a reference number'),
  expected_count: z
    .int()
    .min(1)
    .optional()
    .describe('the number of invoices that the caller saw: refused without changes when it differs'),
};
const namesOne = ({
  invoice_ids,
  run_id,
  groups,
  matching,
}: Partial<Record<'invoice_ids' | 'run_id' | 'groups' | 'matching', unknown>>) =>
  [invoice_ids, run_id, groups, matching].filter((one) => one !== undefined).length === 1;

export const INVOICE_ACTS = ['pay', 'unpay', 'archive', 'unarchive', 'recall'] as const;
/** What an action would do. Amounts are USDT. */
const effect = z.object({
  selected: z.int(),
  traders: z.int(),
  /** Invoices that would change. */
  changing: z.int(),
  /** Outstanding of those to be marked as paid, otherwise the sum of the amounts. */
  sum: decimalString,
  /** What is unpaid of those that change, and would be given up. */
  given_up: decimalString,
  /** Invoices to be marked as unpaid that were paid on chain: the action would be refused. */
  on_chain: z.int(),
  /** Of recalling: the invoices that stay, by why. */
  left_out: z.array(z.object({ reason: z.enum(RECALL_REFUSALS), invoices: z.int() })),
});

const changes = z.object({
  /** Number of changed invoices. */
  changed: z.int(),
  /** Invoices that were already in this state or cannot be changed. */
  unchanged: z.int(),
});
const act = { permission: 'super', idempotent: true } as const;
/** Giving up what is unpaid: above the limit of a person it waits for another one. */
export const writeOffReason = line
  .max(200)
  .optional()
  .describe('why what is unpaid is given up; required above the limit of one person');
const WRITE_OFF_ERRORS = ['order_waits', 'write_off_reason_required', 'payment_on_its_way'] as const;
const STATUS_ERRORS = [
  'not_found',
  'invoice_cancelled',
  'invoice_paid_on_chain',
  'payout_made',
  'other_order_open',
  ...WRITE_OFF_ERRORS,
] as const;

export const invoiceActCalls = entries({
  'PATCH /api/invoices/{id}/status': {
    ...act,
    recentAuth: true,
    summary: 'Marks an invoice as paid off-platform, or as unpaid again',
    params: byId,
    body: z.strictObject({ is_paid: z.boolean(), reason: writeOffReason }),
    answer: ok(orWaits(invoice)),
    mayWait: true,
    errors: STATUS_ERRORS,
  },
  'PATCH /api/invoices/{id}/archive': {
    ...act,
    recentAuth: false,
    summary: 'Archives or restores an invoice',
    params: byId,
    body: z.strictObject({ is_archived: z.boolean(), reason: writeOffReason }),
    answer: ok(orWaits(invoice)),
    mayWait: true,
    errors: ['not_found', 'invoice_of_pool', ...WRITE_OFF_ERRORS],
  },
  'PATCH /api/invoices/admin/status': {
    ...act,
    recentAuth: true,
    summary: 'Marks invoices or whole groups as paid or unpaid: all of them or none',
    body: refined(z.strictObject({ ...selection, is_paid: z.boolean(), reason: writeOffReason }), namesOne),
    answer: ok(orWaits(changes)),
    mayWait: true,
    errors: [...STATUS_ERRORS, 'selection_changed', 'strangers_together'],
  },
  'PATCH /api/invoices/admin/archive': {
    ...act,
    recentAuth: false,
    summary: 'Archives or restores invoices or whole groups: all of them or none',
    body: refined(
      z.strictObject({ ...selection, is_archived: z.boolean(), reason: writeOffReason }),
      namesOne,
    ),
    answer: ok(orWaits(changes)),
    mayWait: true,
    errors: ['not_found', 'invoice_of_pool', 'selection_changed', 'strangers_together', ...WRITE_OFF_ERRORS],
  },
  'POST /api/invoices/admin/recall': {
    ...act,
    recentAuth: true,
    summary:
      'Recalls invoices that nothing was paid for: they are cancelled, their traders are notified, and their positions come with a later invoice. Those that cannot be recalled stay; one alone is refused',
    body: refined(
      z.strictObject({
        ...selection,
        reason: line.max(200).describe('why they are recalled; traders do not see it'),
      }),
      namesOne,
    ),
    answer: ok(orWaits(changes)),
    mayWait: true,
    errors: [
      'not_found',
      'invoice_not_recallable',
      'selection_changed',
      'strangers_together',
      'order_waits',
      'payment_on_its_way',
    ],
  },
  'POST /api/invoices/admin/preview': {
    permission: 'super',
    recentAuth: false,
    summary: 'What an action would do to the invoices of a selection. Nothing changes',
    body: refined(z.strictObject({ act: z.enum(INVOICE_ACTS), ...selection }), namesOne),
    answer: ok(effect),
    errors: ['not_found', 'strangers_together'],
    perMinute: 120,
  },
  'POST /api/invoices/trader/{id}/notify': {
    ...act,
    recentAuth: false,
    summary: 'Notifies a trader of its unpaid invoices by Telegram',
    params: byId,
    answer: z.object({ success: z.literal(true), message: z.string(), data: z.object({ message_id: id }) }),
    errors: ['not_found', 'nothing_unpaid', 'trader_not_reachable'],
    perMinute: 60,
  },
});
