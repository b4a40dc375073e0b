import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { botToken, timestamp } from '../fields.ts';

const platformBot = z.object({
  /** Whether the server's configuration keeps the console from changing it. */
  is_locked: z.boolean(),
  /** The id at Telegram of the bot whose token is stored here; null: the worker's environment decides. */
  stored_telegram_id: z.string().nullable(),
  /** Null: it was never changed here. */
  changed_at: timestamp.nullable(),
  changed_by: z.string().nullable(),
  /** Whether the worker has taken over the last change. */
  is_in_effect: z.boolean(),
  /** What the worker uses, as Telegram answered when the worker last asked; null: no worker has run yet. */
  in_use: z
    .object({
      source: z.enum(['console', 'environment', 'none']),
      telegram_id: z.string().nullable(),
      /** Without @; null while Telegram has not answered for this bot. */
      username: z.string().nullable(),
      name: z.string().nullable(),
      problem: z.enum(['refused', 'unavailable', 'unreadable']).nullable(),
      checked_at: timestamp,
    })
    .nullable(),
  /** How workers read what owners of payout addresses answer; null: no worker has read yet. */
  reading: z
    .object({
      /** When Telegram last answered; null: not yet. */
      read_at: timestamp.nullable(),
      problem: z.enum(['refused', 'other_reader', 'webhook', 'unavailable']).nullable(),
      /** From when a word of an owner counts: one person could have stored another bot. */
      counts_from: timestamp,
    })
    .nullable(),
});

/** The bot with which the platform writes to traders and owners. */
export const platformBotCalls = entries({
  'GET /api/platform-bot': {
    summary: "The platform's own Telegram bot, without its token",
    permission: 'super',
    recentAuth: false,
    answer: ok(platformBot),
    errors: [],
  },
  'PUT /api/platform-bot': {
    summary: "Gives the platform's bot another token, after Telegram has accepted it",
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({ token: botToken }),
    answer: ok(platformBot),
    errors: ['setting_locked', 'bot_taken', 'bot_refused', 'telegram_unavailable'],
    perMinute: 10,
  },
  'DELETE /api/platform-bot': {
    summary: "Deletes the stored token of the platform's bot: the worker's environment decides again",
    permission: 'super',
    recentAuth: true,
    answer: ok(platformBot),
    errors: ['setting_locked', 'not_found'],
  },
});
