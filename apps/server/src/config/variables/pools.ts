import { z } from 'zod';
import { httpAddress } from '../addresses.ts';
import { secretList } from '../secret-list.ts';
import { API, type Variables, WORKER } from '../variable.ts';

/** The trading bot of the pools. */
export const POOLS_VARIABLES = {
  TRADING_BOT_URL: {
    schema: httpAddress.optional(),
    readers: WORKER,
    meaning:
      'Address of the bot that trades the pools (`docs/trading-bot.md`). Unset: an operator confirms that trading has paused and resumed',
  },
  TRADING_BOT_SECRET: {
    schema: z.string().min(16).optional(),
    isWithheldFromApi: true,
    readers: WORKER,
    meaning: 'Signs requests to the bot, 16 characters or more; needed with `TRADING_BOT_URL`',
  },
  TRADING_BOT_ACK_SECRETS: {
    schema: secretList(16),
    readers: API,
    meaning: "Secrets of the bot's acknowledgements, separated by commas; two while one is replaced",
  },
  TRADING_BOT_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(60_000).default(10_000),
    readers: WORKER,
    meaning: 'How long the bot may take to answer',
  },
} satisfies Variables;
