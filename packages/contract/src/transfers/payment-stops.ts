import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, id, line, paging, timestamp } from '../fields.ts';

const reason = line.max(200);

const lift = z.object({
  id,
  reason: z.string(),
  /** confirmed: a worker checks both people and lifts the stop within seconds. */
  state: z.enum(['waiting', 'confirmed']),
  requested_at: timestamp,
  requested_by: z.string(),
  requested_by_id: z.string(),
  /** Who confirmed it. */
  decided_by: z.string().nullable(),
  /** Why the caller may not confirm it; null: it may. */
  refusal: z.string().nullable(),
});

const stop = z.object({
  id,
  reason: z.string(),
  /** alert: a worker that had set too many transfers aside, or found the chain ahead of the database. */
  origin: z.enum(['console', 'command', 'alert']),
  stopped_at: timestamp,
  stopped_by: z.string(),
});

const state = z
  .object({
    /** Null: payments are not stopped. */
    stopped_since: timestamp.nullable(),
    /** For super admins; null for everyone else, and while nothing is stopped. */
    stop: stop.extend({ lift: lift.nullable() }).nullable(),
  })
  .meta({ id: 'PaymentStop' });

export const paymentStopCalls = entries({
  'GET /api/payments/stop': {
    summary: 'Whether all payments are stopped; for super admins with the reason, and what waits to lift it',
    permission: 'staff',
    capability: 'invoices:read',
    recentAuth: false,
    answer: ok(state),
    errors: [],
  },
  'POST /api/payments/stop': {
    // Only makes things safer, and has to be possible at once: lifting takes two people and asks both who they are.
    summary: 'Stops all payments at once. An earlier stop goes on. Needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    body: z.strictObject({ reason }),
    answer: ok(state),
    errors: [],
  },
  'POST /api/payments/stop/lifts': {
    summary: 'Asks another super admin to lift the stop',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ stop_id: id.describe('the stop that the caller saw'), reason }),
    answer: ok(state),
    errors: ['not_found', 'lift_waiting'],
  },
  'POST /api/payments/stop/lifts/{id}/confirm': {
    summary: 'Confirms that the stop is lifted; not for the person who asked for it. A worker carries it out',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(state),
    errors: ['not_found', 'own_approval', 'requester_inactive'],
  },
  'POST /api/payments/stop/lifts/{id}/withdraw': {
    summary: 'Withdraws or declines what was to lift the stop, which goes on. Needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(state),
    errors: ['not_found'],
  },
  'GET /api/payments/stops': {
    summary: 'Every stop, newest first',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(paging),
    answer: page(
      stop.extend({
        lifted_at: timestamp.nullable(),
        lifted_by: z.string().nullable(),
        /** Who asked to lift it; null: the command on the machine of a worker lifted it. */
        lift_requested_by: z.string().nullable(),
        lift_reason: z.string().nullable(),
      }),
      { total: z.int() },
    ),
    errors: [],
  },
});
