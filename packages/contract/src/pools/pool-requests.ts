import { ORDER_STATES } from '@copydesk/domain/access';
import { FLOW_REFUSALS, POOL_DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '@copydesk/domain/pools';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, line, paging, timestamp, usdtAmount } from '../fields.ts';
import { waitsForOrder } from '../transfers/orders.ts';

const ofMember = z.object({
  id,
  member_id: id,
  trader: z.object({ id, reference_number: z.string().nullable(), telegram_username: z.string().nullable() }),
  transaction_hash: z.string().nullable(),
  /** The order to pay or return it: while that waits for another person, nothing happens; null: none. */
  order_state: z.enum(ORDER_STATES).nullable(),
  /** Whether it would be paid, returned or collected, and waits while all payments are stopped. */
  waits_for_stop: z.boolean(),
  at: timestamp,
});

/** Why a withdrawal waits although the pool is open. */
const WITHDRAWAL_WAITS = [
  'no_payout_address',
  'address_held',
  'own_address',
  'awaiting_approval',
  /** A program asked, or what was ordered has changed: an operator confirms it. */
  'waits_for_operator',
  'above_maximum',
  /** The member is notified by Telegram before it is paid; ten minutes at most. */
  'member_not_told',
] as const;

const request = z.discriminatedUnion('kind', [
  ofMember.extend({
    kind: z.literal('deposit'),
    state: z.enum(POOL_DEPOSIT_STATUSES),
    amount: decimalString,
  }),
  ofMember.extend({
    kind: z.literal('withdrawal'),
    state: z.enum(WITHDRAWAL_STATUSES),
    /** What was asked for, or what is reserved for it; null: everything, which is known when it is reserved. */
    amount: decimalString.nullable(),
    is_everything: z.boolean(),
    /** It goes on with a request for everything that was above the largest payout. */
    is_part: z.boolean(),
    waits_because: z.enum(WITHDRAWAL_WAITS).nullable(),
    refusal: z.enum(FLOW_REFUSALS).nullable(),
    /** For a refused one: what could be withdrawn. */
    available: decimalString.nullable(),
    requested_by: z.string(),
  }),
]);
export type PoolRequest = z.infer<typeof request>;

export const poolRequestCalls = entries({
  'GET /api/pooled-accounts/{id}/requests': {
    summary:
      'Deposits and withdrawals of members in scope that are not done, with withdrawals refused within a week, newest first; all: also those that ended',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    params: byId,
    query: z.strictObject({ state: z.enum(['open', 'all']).optional(), ...paging }),
    answer: page(request, { total: z.int() }),
    errors: ['not_found'],
  },
  'POST /api/pooled-accounts/{id}/withdrawals': {
    summary: 'Requests a withdrawal for a member. It is paid to the stored address once the pool is open',
    permission: 'super',
    recentAuth: true,
    serviceScope: 'pool_requests',
    params: byId,
    body: z.strictObject({
      member_id: id,
      amount: z.union([usdtAmount, z.literal('all')]),
      /** The caller's own id of the request: the same one is stored once. */
      request_key: line.optional(),
    }),
    answer: ok(
      z.object({
        id,
        ...waitsForOrder,
        /** Whether less than 1 USDT would remain: the member should rather withdraw everything. */
        suggests_all: z.boolean(),
      }),
    ),
    status: 201,
    mayWait: true,
    errors: ['not_found', 'request_key_reused', 'above_maximum'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/withdrawals/confirm': {
    summary: 'Orders withdrawals that wait for an operator, as one order',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ withdrawal_ids: z.array(id).min(1).max(200) }),
    answer: ok(z.object(waitsForOrder)),
    mayWait: true,
    errors: ['not_found', 'invalid_flow_status', 'order_waits'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/withdrawals/{withdrawalId}/cancel': {
    summary: 'Cancels a withdrawal whose payment has not begun',
    permission: 'super',
    recentAuth: true,
    serviceScope: 'pool_requests',
    params: byId.extend({ withdrawalId: id }),
    answer: ok(z.object({ id })),
    errors: ['not_found', 'invalid_flow_status'],
    idempotent: true,
  },
  'POST /api/pooled-accounts/{id}/deposits/{depositId}/return': {
    summary: "Returns a deposit that the pool has not collected to the member's stored address",
    permission: 'super',
    recentAuth: true,
    serviceScope: 'pool_requests',
    params: byId.extend({ depositId: id }),
    answer: ok(z.object({ id, ...waitsForOrder })),
    mayWait: true,
    errors: [
      'not_found',
      'invalid_flow_status',
      'wallet_not_ready',
      'address_held',
      'no_payout_address',
      'order_waits',
      'person_required',
    ],
    idempotent: true,
  },
});
