import { z } from 'zod';

/**
 * The body of the trading bot's acknowledgement: it has obeyed a command. The bot may add fields. The same event arrives
 * more than once, under the same `event_id`.
 */
export const tradingBotEvent = z.looseObject({
  event_id: z.uuid(),
  /** The command that was obeyed. */
  request_id: z.uuid(),
  pool_id: z.string().min(1).max(64),
  state: z.enum(['paused', 'trading']),
  /** When the bot had obeyed. */
  at: z.iso.datetime({ offset: true }),
});

export type TradingBotEvent = z.infer<typeof tradingBotEvent>;
