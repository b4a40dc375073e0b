import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { timestamp } from '../fields.ts';

const platformBot = z.object({
  /** What the worker uses, as Telegram answered when the worker last asked; null: no worker has run yet. */
  in_use: z
    .object({
      /** Null: the environment of the workers has no token. */
      telegram_id: z.string().nullable(),
      /** Without @; null while Telegram has not answered for this bot. */
      username: z.string().nullable(),
      name: z.string().nullable(),
      problem: z.enum(['refused', 'unavailable']).nullable(),
      checked_at: timestamp,
    })
    .nullable(),
  /** How workers read what owners of payout addresses answer; null: no worker has read yet. */
  reading: z
    .object({
      /** When Telegram last answered; null: not yet. */
      read_at: timestamp.nullable(),
      problem: z.enum(['refused', 'other_reader', 'webhook', 'unavailable']).nullable(),
    })
    .nullable(),
});

/** The bot with which the platform writes to traders and owners. */
export const platformBotCalls = entries({
  'GET /api/platform-bot': {
    summary: "The platform's own Telegram bot, as workers use it",
    permission: 'super',
    recentAuth: false,
    answer: ok(platformBot),
    errors: [],
  },
});
