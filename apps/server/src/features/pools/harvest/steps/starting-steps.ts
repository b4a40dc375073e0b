import { dueReminders } from '@copydesk/domain/pools';
import { isStopped, sumStoppedMs } from '../../../../core/transfers/transfer-gate.store.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { readEvidence } from '../../evidence/read-evidence.ts';
import { matchArrivals } from '../../proxy/match-arrivals.ts';
import type { CycleRow } from '../cycles.store.ts';
import { type HarvestWorker, LOOK_AGAIN_MS, sendEvent, wait } from '../harvest-worker.ts';
import { listReminders, notifyOwner } from '../owner/notify-owner.ts';
import { commandBot, resumeTrading } from './command-bot.ts';
import type { AttendStep } from './step.ts';

const HOUR_MS = 3_600_000;

/** The bot cancels its orders and closes its positions; the account is checked afterwards. */
const pausing: AttendStep = (worker, cycle) => commandBot(worker, cycle, 'trading_paused');

const checking: AttendStep = async (worker, cycle) => {
  await readEvidence(worker, { poolId: cycle.poolId, cycleId: cycle.id }, 'withdrawal');
  worker.atPoint?.('evidence_read');
  const appeared = await sendEvent(worker, cycle, { kind: 'positions_appeared', role: 'worker' });
  if (appeared.isApplied) return;
  const checked = await sendEvent(worker, cycle, { kind: 'checked', role: 'worker' });
  if (!checked.isApplied) await wait(worker, cycle, { ...checked, inMs: LOOK_AGAIN_MS.checking });
};

const withdrawing: AttendStep = async (worker, cycle) => {
  await remind(worker, cycle);
  const of = { poolId: cycle.poolId, cycleId: cycle.id };
  const { mayWithdraw } = await readEvidence(worker, of, 'withdrawal', { pausedAt: cycle.statusSince });
  worker.atPoint?.('evidence_read');
  const outcome = await sendEvent(worker, cycle, { kind: 'withdrawn', role: 'worker' }, (tx, { poolId }) =>
    matchArrivals(tx, poolId),
  );
  if (outcome.isApplied) return;
  const isLate = worker.now().getTime() - cycle.statusSince.getTime() > HOUR_MS;
  // The owner cannot withdraw, which is what the cycle waits for.
  const isSuspended = outcome.code === 'above_dust' && mayWithdraw === false;
  await wait(worker, cycle, {
    ...outcome,
    ...(isSuspended && { code: 'withdrawals_suspended' }),
    inMs: isLate ? LOOK_AGAIN_MS.withdrawingLate : LOOK_AGAIN_MS.withdrawing,
  });
};

/**
 * Reminds the owner once for each hour that is due, and only of the latest when several are. While payments
 * are stopped, owners are not asked to send money, and the hours of a stop do not count.
 */
async function remind({ db, links, now }: HarvestWorker, cycle: CycleRow): Promise<void> {
  const { statusSince } = cycle;
  if (dueReminders(cycle.state, { statusSince, stoppedMs: 0 }, now(), []).length === 0) return;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const sent = await listReminders(tx, cycle);
    if (await isStopped(tx)) return;
    const stoppedMs = await sumStoppedMs(tx, statusSince);
    const hours = dueReminders(cycle.state, { statusSince, stoppedMs }, now(), sent).at(-1);
    const latest = Math.max(0, ...sent);
    if (hours !== undefined && hours > latest)
      await notifyOwner(tx, cycle, 'withdraw_reminder', { links, nth: hours });
  });
}

/** From trading until the money is in the proxy wallet. */
export const STARTING_STEPS = { trading: resumeTrading, pausing, checking, withdrawing } satisfies Record<
  string,
  AttendStep
>;
