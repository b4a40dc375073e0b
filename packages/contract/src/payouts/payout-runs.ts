import { APPROVER_REFUSALS } from '@copydesk/domain/access';
import { MOST_RUN_COMMUNITIES, RUN_EXCLUSIONS } from '@copydesk/domain/payouts';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, paging, timestamp } from '../fields.ts';
import { approvalRefusal, listedDistribution, paidRecipient, recipientShare } from './distributions.ts';

const community = z.object({ id, name: z.string() });
const sum = z.object({ /** USDT */ amount: decimalString, count: z.int() });

/**
 * A hash of what the caller saw: communities, addresses, roles and amounts. Any difference refuses the whole
 * run.
 */
const seen = z.string().regex(/^[0-9a-f]{64}$/);

const runLine = z.object({ ...recipientShare, community_id: id });

const plan = z.object({
  seen,
  /** USDT */
  total_amount: decimalString,
  communities: z.array(
    z.object({
      community,
      amount: decimalString,
      payout_count: z.int(),
      /** Below the smallest payout: stays pending. `count`: recipients. */
      carried: sum,
      /** Held, or without an address: stays pending, USDT. */
      not_now: decimalString,
      /** From deposit addresses into the community's wallet, first. */
      consolidations: sum,
      from_address: z.string(),
    }),
  ),
  /** Largest amount first. */
  lines: z.array(runLine),
  /** What was paid to each address before. */
  recipients: z.array(paidRecipient),
  /** Selected communities that it does not pay, and why; `amount` is what they could be paid. */
  left_out: z.array(z.object({ community, reason: z.enum(RUN_EXCLUSIONS), amount: decimalString })),
  carried: sum,
  minimum_payout: decimalString,
  transaction_count: z.int(),
  /** BNB, from recent transaction costs; null before the first one. */
  expected_fee: decimalString.nullable(),
  needs_approval: z.boolean(),
  /** Why. */
  approval_reasons: z.object({
    is_above_limit: z.boolean(),
    /** Communities whose orders of 24 hours would be above the limit. */
    communities_above: z.array(z.string()),
    /**
     * Who set an address that no other person has released: the caller, or an account that the caller made;
     * null: no such address is paid.
     */
    own_address_set_by: z.string().nullable(),
  }),
  /** USDT; null: no limit is configured. */
  approval_limit: z.object({ above: decimalString, ordered_by_caller: decimalString }).nullable(),
});

const run = z
  .object({
    id,
    state: z.enum(['awaiting_approval', 'approved', 'declined']),
    /** USDT */
    total_amount: decimalString,
    communities: z.array(community).describe('by amount, largest first; 20 at most'),
    community_count: z.int(),
    payout_count: z.int(),
    requested_by: z.string(),
    /** Whether the caller requested it, so another super admin must approve it. */
    is_own: z.boolean(),
    approval_refusal: approvalRefusal,
    decided_by: z.string().nullable(),
    created_at: timestamp,
    decided_at: timestamp.nullable(),
    /** Its payouts by outcome. */
    payouts: z.object({ distributed: z.int(), failed: z.int(), under_way: z.int() }),
    /** USDT that was below the smallest payout, and stayed pending. */
    carried_amount: decimalString,
  })
  .meta({ id: 'PayoutRun' });

/** Several communities paid as one: one plan, one approval, and a distribution for each. */
export const payoutRunCalls = entries({
  'POST /api/super-admin/payout-runs/plan': {
    summary: 'What paying the pending shares of several communities would do; nothing changes',
    permission: 'super',
    recentAuth: false,
    body: z.strictObject({ community_ids: z.array(id).min(1).max(MOST_RUN_COMMUNITIES) }),
    answer: ok(plan),
    errors: ['not_found', 'run_too_large'],
  },
  'POST /api/super-admin/payout-runs': {
    summary:
      'Pays the pending shares of several communities, a distribution each: what was seen, all of it or nothing',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ community_ids: z.array(id).min(1).max(MOST_RUN_COMMUNITIES), seen }),
    answer: ok(run),
    errors: [
      'not_found',
      'nothing_pending',
      'recipients_changed',
      'wallet_not_ready',
      'deposits_missing',
      'run_too_large',
    ],
    idempotent: true,
  },
  'GET /api/super-admin/payout-runs': {
    summary: 'Payout runs, newest first; `awaiting`: those that wait for another super admin',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({ ...paging, state: z.enum(['awaiting', 'all']).optional() }),
    answer: page(run, { total: z.int() }),
    errors: [],
  },
  'GET /api/super-admin/payout-runs/{id}': {
    summary: 'A payout run with its distributions',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(z.object({ run, distributions: z.array(listedDistribution) })),
    errors: ['not_found'],
  },
  'GET /api/super-admin/payout-runs/{id}/lines': {
    summary: 'Everyone whom a payout run pays, largest amount first, and what an approver names as seen',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        seen,
        lines: z.array(runLine),
        /** What was paid to each address before; null: it was decided. */
        recipients: z.array(paidRecipient).nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'POST /api/super-admin/payout-runs/{id}/approve': {
    summary: 'Approves a payout run of another person: all its distributions, as they were seen',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ seen }),
    answer: ok(run),
    errors: [
      'not_found',
      ...APPROVER_REFUSALS,
      'requester_inactive',
      'recipients_changed',
      'distribution_decided',
      'wallet_not_ready',
      'deposits_missing',
    ],
    idempotent: true,
  },
  'POST /api/super-admin/payout-runs/{id}/decline': {
    summary:
      'Declines a payout run that awaits approval; its shares become pending again. It can be ordered again, so this needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(run),
    errors: ['not_found', 'distribution_decided'],
    idempotent: true,
  },
});
