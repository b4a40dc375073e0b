import { failureOf } from '../../../core/exchanges/gateway-failure.ts';
import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import { TradingBotError } from '../../../integrations/trading-bot/gateway.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './cycles.store.ts';
import { type HarvestWorker, LOOK_AGAIN_MS, sendEvent, wait } from './harvest-worker.ts';
import { OPENING_STEPS } from './steps/opening-steps.ts';
import { STARTING_STEPS } from './steps/starting-steps.ts';
import type { AttendStep } from './steps/step.ts';
import { STOPPING_STEPS } from './steps/stopping-steps.ts';

/** Cycles that one worker attends to at a time: each waits for its exchange most of the time. */
const CYCLES_AT_ONCE = 16;
/** Longer than any step takes. A crash costs at most this. */
const LEASE_MS = 120_000;

/** What the worker does in each state that waits for it. The others wait for people. */
const STEPS: Record<string, AttendStep> = { ...STARTING_STEPS, ...OPENING_STEPS, ...STOPPING_STEPS };

/**
 * Attends to the cycles that are due. Whatever a crash interrupts is done again when the lease of the cycle ends: every
 * step may run twice.
 * @returns whether more of them may be due
 */
export async function takeHarvestTurn(worker: HarvestWorker): Promise<boolean> {
  const at = worker.now();
  const due = await worker.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.claimDue(tx, { at, leaseMs: worker.leaseMs ?? LEASE_MS, limit: CYCLES_AT_ONCE }),
  );
  if (due.length === 0) return false;
  worker.atPoint?.('claimed');
  const held = new Map(due.map((one) => [one.id, one]));
  const poolIds = due.map(({ poolId }) => poolId);
  const cycles = await worker.db.read(WHOLE_SCOPE, (tx) => store.readCycles(tx, poolIds));
  await Promise.all(
    cycles.map(async (cycle) => {
      await attend(worker, cycle);
      const lease = held.get(cycle.id);
      if (lease) await worker.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.letGo(tx, lease));
    }),
  );
  return due.length === CYCLES_AT_ONCE;
}

async function attend(worker: HarvestWorker, cycle: store.CycleRow): Promise<void> {
  const { state, deadlineAt } = cycle;
  try {
    if (deadlineAt && deadlineAt <= worker.now() && cycle.approvalAwaitedSince === null) {
      const outcome = await sendEvent(worker, cycle, { kind: 'deadline_passed', role: 'worker' });
      if (outcome.isApplied) return;
    }
    const step = STEPS[state.status === 'failed' ? `failed/${state.step}` : state.step];
    if (step) await step(worker, cycle);
    else await wait(worker, cycle, { code: null, inMs: LOOK_AGAIN_MS.withdrawingLate });
  } catch (error) {
    await handle(worker, cycle, error);
  }
}

/** A venue or bot that does not answer makes a cycle wait, with the reason beside it. */
async function handle(worker: HarvestWorker, cycle: store.CycleRow, error: unknown): Promise<void> {
  if (error instanceof GatewayError || error instanceof TradingBotError) {
    const code = error instanceof GatewayError ? failureOf(error).code : `bot_${error.code}`;
    await wait(worker, cycle, { code, inMs: LOOK_AGAIN_MS.checking });
    return;
  }
  worker.log.warn({ err: error, poolId: cycle.poolId, cycleId: cycle.id }, 'a harvest step failed');
  // The cycle is due again when its lease ends; no reason is noted.
  if (isDatabaseGone(error)) return;
  await wait(worker, cycle, { code: 'step_failed', inMs: LOOK_AGAIN_MS.withdrawing });
}
