import type { HarvestEventKind } from '@copydesk/domain/pools';
import { TradingBotError } from '../../../../integrations/trading-bot/gateway.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import { type CycleRow, lookAgain } from '../cycles.store.ts';
import { isResumeAwaited } from '../harvest-facts.ts';
import { type HarvestWorker, LOOK_AGAIN_MS, sendEvent, wait } from '../harvest-worker.ts';

/**
 * Sends the stored command to the bot, with the same id and bytes as often as needed, until it is acknowledged. Without
 * a bot an operator confirms.
 */
export async function commandBot(
  worker: HarvestWorker,
  cycle: CycleRow,
  reached: Extract<HarvestEventKind, 'trading_paused' | 'trading_resumed'>,
): Promise<void> {
  const { poolId, trading, hasBot } = cycle;
  if (!hasBot) return wait(worker, cycle, { code: null, inMs: LOOK_AGAIN_MS.withdrawingLate });
  if (!trading) throw new Error(`the cycle ${cycle.id} has no command for its bot`);
  if (!trading.isAcknowledged) {
    await sendCommand(worker, poolId, trading);
    worker.atPoint?.('commanded');
  }
  const outcome = await sendEvent(worker, cycle, { kind: reached, role: 'bot' });
  if (!outcome.isApplied) await wait(worker, cycle, { ...outcome, inMs: LOOK_AGAIN_MS.soon });
}

/**
 * A harvest that was called off leaves a command to resume trading, which the bot gets until it acknowledges it. The
 * reason for calling it off stays as it was noted.
 */
export async function resumeTrading(worker: HarvestWorker, cycle: CycleRow): Promise<void> {
  const isAwaited = isResumeAwaited(cycle);
  if (isAwaited && cycle.hasBot && cycle.trading) {
    await sendCommand(worker, cycle.poolId, cycle.trading);
    worker.atPoint?.('commanded');
  }
  const inMs = cycle.hasBot ? LOOK_AGAIN_MS.soon : LOOK_AGAIN_MS.withdrawingLate;
  const lookAt = isAwaited ? new Date(worker.now().getTime() + inMs) : null;
  await worker.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => lookAgain(tx, cycle, lookAt));
}

/** The bot answers 409 to a command that a newer one replaced: ours is the newest that is stored, so a person looks. */
async function sendCommand(
  { bot, log }: HarvestWorker,
  poolId: string,
  { id, command, requestedAt }: NonNullable<CycleRow['trading']>,
): Promise<void> {
  try {
    await bot.command({ requestId: id, poolId, command, requestedAt });
  } catch (error) {
    if (error instanceof TradingBotError && !error.isRetryable)
      log.error({ poolId, problem: error.code }, 'the trading bot does not accept a command');
    throw error;
  }
}
