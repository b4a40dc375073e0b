import type { ApproverRules } from '../../../core/transfers/orders/approvers.views.ts';
import { stopPayments } from '../../../core/transfers/transfer-gate.store.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { confirmLift, requestLift, withdrawLift } from './stops.service.ts';
import { listStops, readStop } from './stops.views.ts';

type StopCall =
  | `${'GET' | 'POST'} /api/payments/stop`
  | 'GET /api/payments/stops'
  | 'POST /api/payments/stop/lifts'
  | `POST /api/payments/stop/lifts/{id}/${'confirm' | 'withdraw'}`;

const DEFAULT_PAGE = 25;

/** Stopping all payments, and what lifts the stop. */
export function createStopRoutes({
  db,
  ...rules
}: ApproverRules & { db: Database }): Pick<Handlers, StopCall> {
  const stateFor = async (tx: Tx, callerId: string) => ({
    success: true as const,
    data: await readStop(tx, rules, callerId),
  });
  return {
    'GET /api/payments/stop': ({ scope, actor }) => db.read(scope, (tx) => stateFor(tx, actor.id)),

    'POST /api/payments/stop': ({ scope, actor, body: { reason } }) =>
      db.write(scope, actor, async (tx) => {
        await stopPayments(tx, { origin: 'console', reason });
        return stateFor(tx, actor.id);
      }),

    'POST /api/payments/stop/lifts': ({ scope, actor, body }) =>
      db.write(scope, actor, async (tx) => {
        const { stop } = await readStop(tx, rules, actor.id);
        await requestLift(tx, { stopId: body.stop_id, reason: body.reason }, stop?.id === body.stop_id);
        return stateFor(tx, actor.id);
      }),

    'POST /api/payments/stop/lifts/{id}/confirm': ({ scope, actor, params: { id } }) =>
      db.write(scope, actor, async (tx) => {
        await confirmLift(tx, rules, id);
        return stateFor(tx, actor.id);
      }),

    'POST /api/payments/stop/lifts/{id}/withdraw': ({ scope, actor, params: { id } }) =>
      db.write(scope, actor, async (tx) => {
        await withdrawLift(tx, id);
        return stateFor(tx, actor.id);
      }),

    'GET /api/payments/stops': async ({ scope, query }) => ({
      success: true,
      ...(await db.read(scope, (tx) => listStops(tx, { limit: DEFAULT_PAGE, offset: 0, ...query }))),
    }),
  };
}
