import { UNEXPLAINED_ENDS } from '@copydesk/domain/ledger';
import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import { byId, decimalString, id, line, paging, timestamp, usdtAmount } from './fields.ts';
import { refined } from './refined.ts';

const decision = z.object({
  id,
  kind: z.enum(UNEXPLAINED_ENDS),
  amount: decimalString,
  /** For money that is sent back. */
  to_address: z.string().nullable(),
  evidence: z.string(),
  /** sending: confirmed, its transfer is under way; failed: that transfer moved nothing. */
  state: z.enum(['proposed', 'sending', 'done', 'failed', 'withdrawn', 'undone']),
  /** The withdrawal that the exchange lists and that it is linked to. */
  movement_id: z.string().nullable(),
  /** Whether the caller could undo it now. */
  may_undo: z.boolean(),
  requested_by: z.string(),
  decided_by: z.string().nullable(),
  /** Whether the caller proposed it: then another super admin has to confirm it. */
  is_own: z.boolean(),
  /** Why its transfer is not signed yet: a code; null: nothing is known to be in its way. */
  problem: z.string().nullable(),
  transaction_hash: z.string().nullable(),
  at: timestamp,
});

const arrival = z.object({
  id,
  /** returned: a withdrawal from the exchange; bounced: funding that it sent back; resolved: two people decided. */
  state: z.enum(['returned', 'bounced', 'unexplained', 'resolved']),
  amount: decimalString,
  /** The part that nothing explains yet. */
  unexplained: decimalString,
  from_address: z.string(),
  transaction_hash: z.string(),
  /** The cycle that it fell into. */
  cycle_number: z.int(),
  at: timestamp,
  /** The latest first. */
  decisions: z.array(decision),
});
export type PoolArrival = z.infer<typeof arrival>;

/** How much of a pool's unexplained money can end in each way now. */
const resolvable = z.record(z.enum(UNEXPLAINED_ENDS), decimalString);

const proposedEnd = z.strictObject({
  kind: z.enum(UNEXPLAINED_ENDS),
  amount: usdtAmount,
  /** What was checked, and where. */
  evidence: line,
  /** For money that is sent back, and only then. */
  to_address: line.optional(),
  /** For a withdrawal from the exchange: its record there. */
  movement_id: line.optional(),
});
const proposal = refined(
  refined(proposedEnd, ({ kind, movement_id }) => kind === 'is_return' || movement_id === undefined, {
    path: ['movement_id'],
    error: 'Invalid input: a withdrawal from the exchange cannot end this way',
  }),
  ({ kind, to_address }) => (kind === 'sent_back') === (to_address !== undefined),
  { path: ['to_address'], error: 'Invalid input: an address belongs to money that is sent back' },
);
const done = ok(z.object({ id }));

const movement = z.object({
  /** The id of the exchange's record. */
  id: z.string(),
  kind: z.enum(['withdrawal', 'deposit']),
  /** done: credited, or gone; ended: it came to nothing; problem: the owner has to act. */
  state: z.enum(['under_way', 'done', 'ended', 'problem', 'unknown']),
  /** The exchange's own word. */
  venue_status: z.string(),
  amount: decimalString,
  /** Null: the exchange does not say. */
  fee: decimalString.nullable(),
  to_address: z.string(),
  transaction_hash: z.string().nullable(),
  at: timestamp,
  /**
   * matched: the transaction is known here; linked: people linked it to an arrival, or one proposes to; suggested: an
   * unexplained arrival may belong to it; elsewhere: a withdrawal to another address; unmatched: nothing belongs to it;
   * waiting: it is not on chain yet, or came to nothing.
   */
  match: z.enum(['matched', 'linked', 'suggested', 'elsewhere', 'unmatched', 'waiting']),
  /** The arrival at the proxy wallet. */
  arrival: arrival
    .pick({ id: true, state: true, amount: true, from_address: true, transaction_hash: true, at: true })
    .nullable(),
  /** Of a suggestion: whether the sender is where the withdrawal went, or the amounts are equal. */
  fits: z.enum(['sender', 'amount']).nullable(),
  /** Of a link. */
  decision: z
    .object({ id, state: z.enum(['proposed', 'sending', 'done']), may_undo: z.boolean() })
    .nullable(),
});
export type PoolMovement = z.infer<typeof movement>;
const byDecision = byId.extend({ arrivalId: id, decisionId: id });

export const poolArrivalCalls = entries({
  'GET /api/pooled-accounts/{id}/arrivals': {
    summary: "What arrived at the pool's proxy wallet from elsewhere, unexplained arrivals first",
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(arrival, { total: z.int(), unexplained: z.int(), resolvable }),
    errors: ['not_found'],
  },
  'GET /api/pooled-accounts/{id}/movements': {
    summary: 'Withdrawals and deposits that the exchange lists, with what belongs to them on chain',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(movement, { total: z.int() }),
    errors: ['not_found'],
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions': {
    summary:
      'Proposes what becomes of an unexplained arrival, or a part of it; another super admin confirms it',
    permission: 'super',
    recentAuth: true,
    params: byId.extend({ arrivalId: id }),
    body: proposal,
    answer: done,
    status: 201,
    errors: [
      'not_found',
      'arrival_explained',
      'arrival_amount',
      'decision_pending',
      'movement_linked',
      'wallet_not_ready',
    ],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm': {
    summary: 'Confirms the decision that another super admin proposed, which takes effect at once',
    permission: 'super',
    recentAuth: true,
    params: byDecision,
    answer: done,
    errors: [
      'not_found',
      'arrival_explained',
      'arrival_amount',
      'wallet_not_ready',
      'requester_inactive',
      'own_approval',
      'approver_not_independent',
      'approver_not_confirmed',
      'approver_too_new',
      'requester_not_independent',
    ],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/withdraw': {
    summary:
      'Withdraws a decision that is not confirmed, or whose transfer cannot be signed. It can be proposed again, so this needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byDecision,
    answer: done,
    errors: ['not_found', 'arrival_explained', 'invalid_flow_status'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/undo': {
    summary: 'Undoes a confirmed link to the exchange before the valuation: the arrival is unexplained again',
    permission: 'super',
    recentAuth: true,
    params: byDecision,
    body: z.strictObject({ reason: line }),
    answer: done,
    errors: ['not_found', 'not_linked', 'link_too_old'],
    idempotent: true,
  },
});
