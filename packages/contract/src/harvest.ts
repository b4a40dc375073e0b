import { LANGUAGES } from '@copydesk/domain/catalogue';
import {
  FAILURE_REASONS,
  HARVEST_EVENTS,
  HARVEST_REFUSALS,
  HARVEST_ROLES,
  RESOLUTIONS,
  RUN_ACTIONS,
  VALUATION_REASONS,
} from '@copydesk/domain/pools';
import { z } from 'zod';
import { entries, ok } from './entry.ts';
import { byId, decimalString, hexAddress, id, line, rowVersion, timestamp } from './fields.ts';

import { harvestRun } from './harvest-run.ts';
import { waitsForOrder } from './orders.ts';
import { pooledAccount } from './pools.ts';

/**
 * What a super admin does to a cycle: `confirm_paused` and `confirm_resumed` report trading where no bot is attached,
 * `approve` accepts the valuation of one read.
 */
const CYCLE_ACTIONS = [
  'start',
  'stop',
  'close_gate',
  'abort',
  'retry',
  'confirm_paused',
  'confirm_resumed',
  'approve',
  'remind_owner',
] as const;
export type CycleAction = (typeof CYCLE_ACTIONS)[number];

const RESOLUTION_KINDS = [...RESOLUTIONS, 'abort'] as const;

/** A read of the exchange that decides something. */
const evidence = z.object({
  id,
  read_at: timestamp,
  open_positions: z.int(),
  open_orders: z.int(),
  /** Closed positions at the exchange that are not stored yet. */
  unstored_positions: z.int(),
  balance: decimalString,
  other_coins: decimalString,
  /** Null: the key may not read withdrawals. */
  open_withdrawals: z.int().nullable(),
});

const event = z.object({
  id,
  at: timestamp,
  event: z.enum(HARVEST_EVENTS),
  role: z.enum(HARVEST_ROLES),
  actor: z.string(),
  /** Status and step, as in `starting_harvesting/pausing`. */
  from: z.string(),
  to: z.string(),
  version: z.int(),
  /** Facts on which the event was accepted. */
  evidence: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type HarvestTimelineEvent = z.infer<typeof event>;

const progress = z.object({
  /** The role that acts next; worker: the system. Null: nothing is awaited, an operator may act. */
  awaited: z.enum(HARVEST_ROLES).nullable(),
  /**
   * Why the cycle waits: a refusal of the awaited event, or a problem of the exchange or the bot, as a code; null: it
   * just waits.
   */
  waits_because: z.string().nullable(),
  waits_detail: z.string().nullable(),
  failure: z.enum(FAILURE_REASONS).nullable(),
  has_bot: z.boolean(),
  /** Where the owner withdraws to; null: it is not set up yet. */
  proxy_address: z.string().nullable(),
  owner: z.object({
    name: z.string().nullable(),
    /** When the owner was asked to withdraw in this cycle, and how the message fared. */
    notified_at: timestamp.nullable(),
    message_state: z.enum(['queued', 'sent', 'failed']).nullable(),
    reminders: z.int(),
    /** What a reminder says, in the owner's language; null: none is due now. */
    reminder: z.object({ text: z.string(), language: z.enum(LANGUAGES) }).nullable(),
  }),
  start_balance: decimalString.nullable(),
  returned: decimalString,
  evidence: evidence.nullable(),
  /** The result as it would be booked now, or as it was booked; null before the valuation. */
  valuation: z
    .object({
      result: decimalString,
      /** Why another super admin must approve; empty: it needs no approval. */
      reasons: z.array(z.enum(VALUATION_REASONS)),
      /** What the exchange's log lists besides trading: sums by its own types. */
      foreign: z.array(z.object({ type: z.string(), amount: decimalString })),
      /** The part of what returned that is therefore no result: it becomes unexplained money. */
      set_aside: decimalString,
      /** Booked money that left trading by another way. Nothing can be booked before it is back. */
      missing: decimalString,
      uncovered: decimalString,
      is_approved: z.boolean(),
      is_booked: z.boolean(),
    })
    .nullable(),
  funding: z
    .object({
      attempt: z.int(),
      amount: decimalString,
      credited: decimalString,
      state: z.enum(['planned', 'ordered', 'sent', 'reverted', 'bounced', 'lost', 'credited']),
      to_address: z.string().nullable(),
      transaction_hash: z.string().nullable(),
    })
    .nullable(),
  deposit_address: z.object({
    approved: z.string().nullable(),
    usable_from: timestamp.nullable(),
    /** As the exchange last gave it; null: the key may not read it. */
    read: z.string().nullable(),
  }),
  /** A decision that another super admin has to confirm. */
  proposal: z
    .object({
      id,
      kind: z.enum(RESOLUTION_KINDS),
      evidence: z.string(),
      requested_by: z.string(),
      at: timestamp,
      /** Whether the caller proposed it: then another super admin has to confirm it. */
      is_own: z.boolean(),
    })
    .nullable(),
  /** What a super admin may do now, and why not. */
  actions: z.array(z.object({ action: z.enum(CYCLE_ACTIONS), refusal: z.enum(HARVEST_REFUSALS).nullable() })),
  events: z.array(event),
});
export type HarvestProgress = z.infer<typeof progress>;

/** Refusals of starting and stopping (super-admin spec, section 8), and of the other acts. */
const START_ERRORS = [
  'uninvoiced_positions',
  'open_positions_exist',
  'already_harvesting',
  'invalid_status',
  'evidence_old',
  'exchange_refused',
  'exchange_unavailable',
  'pool_not_connected',
] as const;
const STOP_ERRORS = [
  'not_harvesting',
  'pending_operations',
  'already_stopping',
  'deposit_address_not_approved',
  'circuit_breaker',
] as const;

export const harvestCalls = entries({
  'POST /api/pooled-accounts/{id}/harvest': {
    summary: 'Acts on the harvest cycle of a pool, such as starting or stopping it',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({
      action: z.enum(CYCLE_ACTIONS),
      /** The cycle's version that the caller has seen: a newer one refuses the act. */
      version: rowVersion.optional(),
      /** For `approve`: the read whose valuation was reviewed. */
      evidence_id: id.optional(),
    }),
    answer: ok(pooledAccount),
    errors: [
      'not_found',
      ...START_ERRORS,
      ...STOP_ERRORS,
      'cycle_changed',
      'funds_moved',
      'balance_incomplete',
      'withdrawal_under_way',
      'second_person_required',
      'bot_attached',
      'own_approval',
      'approver_not_independent',
      'approver_not_confirmed',
      'approver_too_new',
      'requester_not_independent',
      'decision_required',
      'reminded_lately',
      'owner_unreachable',
      'payments_stopped',
      'wallet_not_ready',
      'pool_inactive',
    ],
    idempotent: true,
  },
  'GET /api/pooled-accounts/{id}/harvest/progress': {
    summary: 'How far the harvest cycle of a pool has come, with its timeline and evidence',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(progress),
    errors: ['not_found'],
  },
  'POST /api/pooled-accounts/{id}/harvest/resolution': {
    summary:
      'Proposes how a failed or stuck cycle goes on, in place of an earlier proposal; another super admin confirms it',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ kind: z.enum(RESOLUTION_KINDS), evidence: line, version: rowVersion }),
    answer: ok(progress),
    errors: ['not_found', 'cycle_changed', 'invalid_status'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm': {
    summary: 'Confirms a proposed resolution of another super admin, which takes effect at once',
    permission: 'super',
    recentAuth: true,
    params: byId.extend({ resolutionId: id }),
    answer: ok(progress),
    errors: [
      'not_found',
      'cycle_changed',
      'invalid_status',
      'requester_inactive',
      'own_approval',
      'approver_not_independent',
      'approver_not_confirmed',
      'approver_too_new',
      'requester_not_independent',
      'second_person_required',
      'funds_moved',
      'balance_incomplete',
      'withdrawal_under_way',
      'evidence_old',
      'evidence_missing',
      'returns_missing',
      'exchange_refused',
      'exchange_unavailable',
      'pool_not_connected',
    ],
    idempotent: true,
  },
  'PUT /api/pooled-accounts/{id}/deposit-address': {
    summary:
      "Orders the exchange's deposit address of a pool. Another super admin approves it, and it is used after the waiting time",
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ address: hexAddress }),
    answer: ok(progress.extend(waitsForOrder)),
    mayWait: true,
    errors: ['not_found', 'deposit_address_differs', 'order_waits'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/global/harvest': {
    summary:
      'Starts or stops all pools together, or retries the failed ones of the last run: all or none of them',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ action: z.enum(RUN_ACTIONS) }),
    answer: ok(harvestRun),
    errors: [...START_ERRORS, ...STOP_ERRORS, 'decision_required'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/global/close-gates': {
    summary:
      'Closes the gates of all open pools: no new deposit or withdrawal begins, so that a global stop can follow',
    permission: 'super',
    recentAuth: true,
    answer: ok(z.object({ pools: z.int() })),
    errors: ['not_harvesting'],
    idempotent: true,
  },
});
