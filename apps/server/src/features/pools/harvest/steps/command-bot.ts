import type { HarvestEventKind } from '@copydesk/domain';
import { TradingBotError } from '../../../../integrations/trading-bot/gateway.ts';
import type { CycleRow } from '../cycles.store.ts';
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
