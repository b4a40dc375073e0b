import { PAYOUT_STATUSES, RECIPIENT_TYPES } from '@copydesk/domain/catalogue';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import {
  byId,
  decimalString,
  deepPaging,
  id,
  moment,
  nextCursor,
  orderDir,
  ownerWord,
  searched,
  timestamp,
} from '../fields.ts';

export const recipientType = z.enum(RECIPIENT_TYPES);
const hash = z.string().nullable();

const payoutFields = {
  id,
  status: z.enum(PAYOUT_STATUSES),
  recipient_type: recipientType,
  recipient_address: z.string(),
  /** USDT; for a payout of several providers, the part in scope. */
  total_amount: decimalString,
  consolidate_transaction_hash: hash,
  distribute_transaction_hash: hash,
  created_at: timestamp,
  updated_at: timestamp,
  /** null when the community is no longer in scope. */
  community: z.object({ id, name: z.string() }).nullable(),
  /** Why it failed or waits; a code. */
  problem: z.string().nullable(),
  /** The payout that has its shares now, because it was ordered again; null: it was not, or it is not on record. */
  replaced_by: id.nullable(),
  /** Imported: no transfer of it is known here. */
  is_imported: z.boolean(),
  /** Another super admin must approve its distribution before anything is sent. */
  awaits_approval: z.boolean(),
};

/** One payout to one recipient. */
const payout = z.object(payoutFields).meta({ id: 'Payout' });

/** Payouts that a retry of another one pays again too. */
export const retriedWith = z.array(
  z.object({
    id,
    recipient_address: z.string(),
    recipient_type: recipientType,
    /** USDT */
    amount: decimalString,
  }),
);

/** A share in a payout: the recipient's part of an invoice. */
const paidShare = z.object({
  id,
  invoice_id: id,
  /** The trader's; null when it has none or is no longer in scope. */
  reference_number: z.string().nullable(),
  amount: decimalString,
  recipient_type: recipientType,
});

const step = z.object({
  kind: z.enum(['created', 'consolidated', 'distributed']),
  state: z.enum(['done', 'running', 'waiting', 'failed']),
  transaction_hash: hash,
  /** null: unknown or not yet. */
  at: timestamp.nullable(),
});

/** A signed transaction of a transfer. Only one per nonce can ever count. */
const attempt = z.object({
  hash: z.string(),
  attempt: z.int(),
  /** Spends the nonce on an empty transaction. */
  is_cancel: z.boolean(),
  max_fee_gwei: decimalString,
  created_at: timestamp,
  /** When a server of the chain last took it. */
  broadcast_at: timestamp.nullable(),
  /** Why no server took it when it was last sent: a code, and the words of a server; null: one did. */
  refusal: z.string().nullable(),
  refusal_detail: z.string().nullable(),
  /** The receipt; null until it is final. */
  receipt: z
    .object({ block_number: z.int(), is_success: z.boolean(), fee: decimalString.describe('BNB') })
    .nullable(),
});

/** An on-chain transfer of a payout. */
const transfer = z.object({
  id,
  kind: z.enum(['consolidate', 'distribute']),
  state: z.enum(['planned', 'sent', 'final', 'reverted', 'cancelled', 'void']),
  from_address: z.string(),
  to_address: z.string(),
  /** USDT */
  amount: decimalString,
  nonce: z.int().nullable(),
  /** Why it does not proceed: a code, and the chain's message. */
  problem: z.string().nullable(),
  problem_detail: z.string().nullable(),
  attempts: z.array(attempt),
});

/** Why a payout under way waits: the worst reason among its transfers. */
const wait = z.object({
  /**
   * A problem of a transfer, `refused_` with a refusal of its newest attempt, `wallet_frozen`, `gas_wallet_frozen`,
   * `chain_silent`, `fees_too_high`, `turn_failed`, `sends_refused`, `no_worker`, `not_final`, or `in_turn`.
   */
  reason: z.string(),
  /** Why the wallet is frozen, or the words of a server of the chain. */
  detail: z.string().nullable(),
  /** The affected wallet. */
  address: z.string(),
  since: timestamp,
  /** Number of transfers that wait for the same reason. */
  count: z.int(),
});

const part = {
  /** USDT */
  amount: decimalString,
  count: z.int(),
};
const typeSummary = z.object({
  recipient_type: recipientType,
  /** USDT */
  total_amount: decimalString,
  count: z.int(),
  /** Parts of `total_amount` and `count` by outcome; they add up to the totals. */
  paid: z.object(part),
  awaiting_approval: z.object(part),
  under_way: z.object(part),
  failed: z.object(part),
  /** Ordered again, as other payouts: in none of the sums. */
  replaced: z.object(part),
  first_at: timestamp,
  last_at: timestamp,
});

export const payoutFilters = {
  community_id: id.optional(),
  recipient_type: recipientType.optional(),
  status: z.enum(PAYOUT_STATUSES).optional(),
  distribution_id: id.optional().describe('payouts of one distribution'),
  created_at_from: moment.optional(),
  created_at_to: moment.optional().describe('the moment or day is included'),
  search: searched
    .optional()
    .describe(
      'the beginning of a recipient address, a transaction hash, a payout id or the wallet of a community, or part of the name of a community',
    ),
};
const ordering = {
  orderBy: z.enum(['created_at', 'amount', 'status']).optional(),
  orderDir: orderDir.optional(),
};
const totals = {
  total: z.int(),
  /** Sum of all matches, USDT. */
  total_amount: decimalString,
  /** When count and sum were computed. */
  totals_at: timestamp,
};
const { community_id: _community, ...ofCommunity } = payoutFilters;
const read = {
  permission: 'staff',
  capability: 'invoices:read',
  serviceScope: 'invoices:read',
  recentAuth: false,
} as const;

export const payoutCalls = entries({
  'GET /api/sweep-operations/admin/all': {
    ...read,
    summary: 'Payouts in scope: a page, with count and sum of all matches',
    query: z.strictObject({ ...payoutFilters, ...ordering, ...deepPaging }),
    answer: page(payout, { ...totals, next_cursor: nextCursor }),
    errors: ['invalid_cursor'],
  },
  'GET /api/communities/{id}/sweep-operations': {
    ...read,
    summary: 'Payouts of a community',
    params: byId,
    query: z.strictObject({ ...ofCommunity, ...ordering, ...deepPaging }),
    answer: page(payout, { ...totals, next_cursor: nextCursor }),
    errors: ['not_found', 'invalid_cursor'],
  },
  'GET /api/sweep-operations/summary': {
    ...read,
    summary: 'Payouts in scope, added up by recipient type',
    query: z.strictObject(payoutFilters),
    answer: page(typeSummary, totals),
    errors: [],
  },
  'GET /api/sweep-operations/{id}': {
    ...read,
    summary: 'One payout: its steps, and the shares of invoices that it pays',
    params: byId,
    answer: ok(
      z.object({
        ...payoutFields,
        steps: z.array(step),
        /** The largest ones first; `payable_count` is the total. */
        payables: z.array(paidShare),
        payable_count: z.int(),
        /** For super admins: the first of its transfers, failed ones first. */
        transfers: z.array(transfer),
        transfer_count: z.int(),
        /** For super admins: why it waits; null when none of its transfers is under way. */
        waits_for: wait.nullable(),
        /** For super admins: whether it can be retried now. */
        can_retry: z.boolean(),
        /** Other payouts that a retry pays again too: they failed because of the same deposit addresses. */
        retried_with: retriedWith,
        can_cancel: z.boolean(),
        /** Whether its shares can be ordered again to the recipient's present address. */
        can_resend: z.boolean(),
        /** The recipient's present address, if it differs; null: unchanged or unknown. */
        current_address: z.string().nullable(),
        /** Whether another super admin has to release that address. */
        current_address_awaits_release: z.boolean(),
        /** When the waiting time of that address ends; null: it is payable, or there is no other. */
        current_address_payable_from: timestamp.nullable(),
        /** What the owner of that address said of it while it is held; null: nothing, or there is no other. */
        current_address_owner_word: ownerWord.nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/sweep-operations/export': {
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    summary: 'The filtered payouts as CSV, streamed',
    query: z.strictObject({ ...payoutFilters, ...ordering }),
    answer: { stream: 'text/csv' },
    errors: [],
    perMinute: 10,
  },
});
