import { z } from 'zod';
import { webhooks } from './entry.ts';
import { tradingBotEvent } from './trading-bot.ts';

/** The calls of vendors. The server does not compile without a handler and a verifier for each. */
export const webhookContract = webhooks({
  'POST /api/webhooks/trading-bot': {
    summary: 'The trading bot has paused or resumed the trading of a pool',
    signature: { scheme: 'HMAC-SHA256', header: 'trading-bot-signature', secret: 'TRADING_BOT_ACK_SECRETS' },
    toleranceSeconds: 300,
    maxBodyBytes: 16_384,
    perMinute: 600,
    event: tradingBotEvent,
    /** False: the event is of an earlier command, and changes nothing. */
    answer: z.object({ success: z.literal(true), is_current: z.boolean() }),
    errors: [],
  },
});
