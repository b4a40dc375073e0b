import { APPROVER_REFUSALS } from '@copydesk/domain/access';
import { MOST_RETRIED, RETRY_REFUSALS } from '@copydesk/domain/payouts';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { byId, decimalString, id } from '../fields.ts';
import { refined } from '../refined.ts';
import { payoutFilters, recipientType, retriedWith } from './payouts.ts';

const ids = z.array(id).min(1).max(MOST_RETRIED);
const { status: _failed, ...filters } = payoutFilters;

const selection = {
  payout_ids: ids.optional(),
  matching: z
    .strictObject({
      filters: z.strictObject(filters).default({}),
      except: z.array(id).max(MOST_RETRIED).default([]).describe('payouts that are left out'),
    })
    .optional()
    .describe('all failed payouts that match'),
};

/** A payout of the selection, or one that is paid with it. */
const row = z.object({
  id,
  community: z.object({ id, name: z.string() }),
  recipient_type: recipientType,
  recipient_address: z.string(),
  /** USDT */
  amount: decimalString,
  /** Why it would not be paid again; null: it would. */
  reason: z.enum([...RETRY_REFUSALS, 'wallet_not_ready']).nullable(),
  /** The selected payout that takes it along, because both failed with the same deposits; null: it is selected itself. */
  taken_by: id.nullable(),
});

const again = {
  permission: 'super',
  recentAuth: true,
  idempotent: true,
} as const;
const REFUSALS = [
  'not_found',
  'payout_not_safe',
  'approval_required',
  ...APPROVER_REFUSALS,
  'wallet_not_ready',
  'deposits_missing',
] as const;

export const retryCalls = entries({
  'POST /api/sweep-operations/{id}/retry': {
    ...again,
    summary:
      'Pays a failed payout again, if it certainly was not paid, with those that failed because of the same deposits',
    params: byId,
    answer: ok(z.object({ id, status: z.string(), retried_with: retriedWith })),
    errors: REFUSALS,
  },
  'POST /api/sweep-operations/retry/preview': {
    permission: 'super',
    recentAuth: false,
    summary: 'What paying a selection of payouts again would do to each of them. Nothing changes',
    body: refined(
      z.strictObject(selection),
      ({ payout_ids: named, matching }) => (named === undefined) !== (matching === undefined),
      { error: 'Name payouts, or filters that they are all matches of', path: ['payout_ids'] },
    ),
    answer: ok(
      z.object({
        rows: z.array(row),
        /** How many would be paid again, and their sum in USDT. */
        will: z.int(),
        amount: decimalString,
        /** Above the approval limit: paying them again approves what another person ordered. */
        takes_two: z.boolean(),
        /** Why the caller may not pay these again, in words; null: it may. */
        refusal: z.string().nullable(),
      }),
    ),
    errors: ['not_found', 'too_many_payouts'],
    perMinute: 120,
  },
  'POST /api/sweep-operations/retry': {
    ...again,
    summary:
      'Pays failed payouts again as one order, with those that failed because of the same deposits: all of them or none',
    body: z.strictObject({
      payout_ids: ids,
      expected_count: z.int().min(1).describe('how many are paid again, those that are taken along included'),
      expected_amount: decimalString.describe('their sum in USDT'),
    }),
    answer: ok(z.object({ paid: z.int(), amount: decimalString })),
    errors: [...REFUSALS, 'payouts_changed'],
  },
});
