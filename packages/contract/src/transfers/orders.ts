import { ORDER_ACTS, ORDER_NEEDS, ORDER_STATES } from '@copydesk/domain/access';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, chainKnowledge, decimalString, id, paging, timestamp } from '../fields.ts';

/** In the answer of a call whose order waits for another person: nothing else has changed (status 202). */
export const waitsForOrder = {
  state: z.enum(['done', 'awaiting_approval']),
  /** The order that waits; null: it needed no other person. */
  order_id: id.nullable(),
};

/** The answer of an act, or, with the status 202, that it waits for another person and nothing has changed. */
export const orWaits = <T extends z.ZodType>(answer: T) =>
  z.union([z.object({ state: z.literal('awaiting_approval'), order_id: id }), answer]);

const order = z
  .object({
    id,
    act: z.enum(ORDER_ACTS),
    state: z.enum(ORDER_STATES),
    /** Why it needs another person. */
    needs: z.array(z.enum(ORDER_NEEDS)),
    community: z.object({ id, name: z.string() }).nullable(),
    pool_id: id.nullable(),
    /** The sum that counts towards the approval limit. */
    amount: decimalString,
    /** The first ones, of all that `line_count` says. */
    line_count: z.int(),
    lines: z.array(
      z.object({
        subject_id: id,
        label: z.string(),
        to_address: z.string().nullable(),
        /** What the chain knows of that address; null: not read yet. */
        chain: chainKnowledge.nullable(),
        /** Null: everything, or no amount. */
        amount: decimalString.nullable(),
      }),
    ),
    /** What its author saw besides. */
    facts: z.record(z.string(), z.string()),
    requested_by: z.string(),
    requested_at: timestamp,
    decided_by: z.string().nullable(),
    decided_at: timestamp.nullable(),
    /** Whether the caller made it: then another super admin has to approve it, and the caller may withdraw it. */
    is_own: z.boolean(),
    /** Why the caller cannot approve it; null: it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof order>;

const decided = ok(z.object({ id, state: z.enum(ORDER_STATES) }));

export const orderCalls = entries({
  'GET /api/orders': {
    summary: 'Orders that may need another person, the newest first; those that wait unless state is all',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      state: z.enum(['awaiting', 'all']).optional(),
      pool_id: id.optional(),
      order_id: id.optional(),
      ...paging,
    }),
    answer: page(order, { total: z.int() }),
    errors: [],
  },
  'POST /api/orders/{id}/approve': {
    summary: 'Approves an order of another person exactly as it was made, and carries it out',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: decided,
    errors: [
      'not_found',
      'order_decided',
      'order_changed',
      'payment_on_its_way',
      'approval_required',
      'requester_inactive',
      'own_approval',
      'approver_not_independent',
      'approver_not_confirmed',
      'approver_too_new',
      'requester_not_independent',
      'wallet_not_ready',
      'address_held',
      'address_is_token',
      'invalid_flow_status',
    ],
    idempotent: true,
  },
  'POST /api/orders/{id}/decline': {
    summary:
      'Declines an order, or withdraws an own one. It can be ordered again, so this needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: decided,
    errors: ['not_found', 'order_decided'],
    idempotent: true,
  },
});
