import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, id, line } from '../fields.ts';
import { refined } from '../refined.ts';
import { orWaits } from '../transfers/orders.ts';
import { invoice, invoiceFilters } from './invoices.ts';

/** Invoices by their ids, or whole groups as filtered on screen. */
const selection = {
  invoice_ids: z.array(id).min(1).max(1_000).optional(),
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
  expected_count: z
    .int()
    .min(1)
    .optional()
    .describe('the number of invoices that the caller saw: refused without changes when it differs'),
};
const namesOne = (body: { invoice_ids?: unknown; groups?: unknown }) =>
  (body.invoice_ids === undefined) !== (body.groups === undefined);

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
