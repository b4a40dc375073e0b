import type { TradingBotEvent } from '@copydesk/contract/pools';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { acknowledgeTrading } from './cycles.store.ts';

const BOT_ACTOR = { kind: 'service', id: 'trading-bot', name: 'trading bot' } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Takes the bot's acknowledgements. They only note the fact: the worker moves the cycle, and an event of an earlier
 * command, or one that comes twice, changes nothing.
 */
export const createTradingBotWebhook = ({ db, now }: { db: Database; now: () => Date }) => ({
  async 'POST /api/webhooks/trading-bot'({
    event,
    requestId,
  }: {
    event: TradingBotEvent;
    requestId: string;
  }) {
    const { pool_id: poolId, request_id: commandId, state } = event;
    if (!UUID.test(poolId)) return { success: true as const, is_current: false };
    const isCurrent = await db.write(WHOLE_SCOPE, { ...BOT_ACTOR, requestId }, async (tx) => {
      const command = state === 'paused' ? 'pause' : 'resume';
      const found = await acknowledgeTrading(tx, { poolId, requestId: commandId, command, at: now() });
      if (found)
        tx.audit({
          action: 'harvest.bot_acknowledged',
          target: { kind: 'pool', id: poolId },
          after: { request_id: commandId, state, obeyed_at: event.at },
        });
      return found;
    });
    return { success: true as const, is_current: isCurrent };
  },
});
