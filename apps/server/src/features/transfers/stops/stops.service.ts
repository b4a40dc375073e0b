import {
  type ApproverRules,
  readApprovers,
  requireActiveRequester,
  requireApprover,
} from '../../../core/transfers/orders/approvers.views.ts';
import type { Database, WriteTx } from '../../../platform/db/database.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './stops.store.ts';

/**
 * Asks another super admin to lift the stop.
 * @throws Refusal `not_found`, `lift_waiting`
 */
export async function requestLift(
  tx: WriteTx,
  { stopId, reason }: { stopId: string; reason: string },
  isHeld: boolean,
): Promise<void> {
  if (!isHeld) throw new Refusal('not_found');
  const id = await store.insertLift(tx, stopId, reason);
  if (id === null) throw new Refusal('lift_waiting');
  tx.audit({ action: 'payments.lift_requested', target: target(stopId), after: { reason } });
}

/**
 * Confirms that the stop is lifted. A worker checks it and carries it out.
 * @throws Refusal `not_found`, `requester_inactive`, the refusals of `decideApprover`
 */
export async function confirmLift(tx: WriteTx, rules: ApproverRules, id: string): Promise<void> {
  const lift = await store.lockLift(tx, id);
  if (lift?.state !== 'waiting') throw new Refusal('not_found');
  await requireApprover(tx, rules, lift.requestedById);
  await requireActiveRequester(tx, lift.requestedById);
  await store.decideLift(tx, id, 'confirmed');
  tx.audit({
    action: 'payments.lift_confirmed',
    target: target(lift.stopId),
    after: { reason: lift.reason, requested_by: lift.requestedBy },
  });
}

/**
 * Withdraws or declines what was to lift the stop, also between its confirmation and the worker.
 * @throws Refusal `not_found`
 */
export async function withdrawLift(tx: WriteTx, id: string): Promise<void> {
  const lift = await store.lockLift(tx, id);
  if (!lift) throw new Refusal('not_found');
  await store.decideLift(tx, id, 'withdrawn');
  tx.audit({
    action: 'payments.lift_withdrawn',
    target: target(lift.stopId),
    before: { reason: lift.reason, requested_by: lift.requestedBy },
  });
}

/** Lifts the stop for an operator on the machine of a worker. @returns whether one held */
export async function resumePayments(tx: WriteTx, reason: string): Promise<boolean> {
  const stopId = await store.resumeAsOperator(tx, reason);
  if (stopId === null) return false;
  tx.audit({ action: 'payments.resumed', target: target(stopId), after: { reason, origin: 'command' } });
  return true;
}

/**
 * The worker's part: carries out what two super admins decided, after checking both itself. The API cannot lift a stop.
 * @returns false: nothing else waits
 */
export async function liftConfirmed({
  db,
  log,
  ...rules
}: ApproverRules & { db: Database; log: Logger }): Promise<false> {
  for (const { id } of await db.read(WHOLE_SCOPE, store.listConfirmedLifts))
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const lift = await store.lockLift(tx, id);
      if (lift?.state !== 'confirmed' || lift.decidedById === null) return;
      const about = { reason: lift.reason, requested_by: lift.requestedBy, confirmed_by: lift.decidedBy };
      const refusal = await refusalOf(tx, rules, { ...lift, decidedById: lift.decidedById });
      if (refusal === null && (await store.liftStop(tx, id)) !== null) {
        tx.audit({
          action: 'payments.resumed',
          target: target(lift.stopId),
          after: { ...about, origin: 'console' },
        });
        log.warn({ stopId: lift.stopId, ...about }, 'payments go on: two super admins have lifted the stop');
      } else {
        await store.decideLift(tx, id, 'refused');
        tx.audit({
          action: 'payments.lift_refused',
          target: target(lift.stopId),
          after: { ...about, because: refusal },
        });
        log.error({ stopId: lift.stopId, ...about, refusal }, 'a stop of payments was not lifted');
      }
    });
  return false;
}

async function refusalOf(
  tx: WriteTx,
  rules: ApproverRules,
  { requestedById, decidedById }: { requestedById: string; decidedById: string },
): Promise<string | null> {
  const refusal = (await readApprovers(tx, rules, decidedById, [requestedById]))(requestedById);
  if (refusal) return refusal.code;
  try {
    await requireActiveRequester(tx, requestedById);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return null;
}

const target = (id: string) => ({ kind: 'stop', id });
