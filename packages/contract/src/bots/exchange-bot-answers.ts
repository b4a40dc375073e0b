import { LANGUAGES } from '@copydesk/domain/catalogue';
import { BOT_TEXT_KEYS } from '@copydesk/domain/exchange-bot';
import { MESSAGE_PROBLEMS, MESSAGE_STATES } from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, id, paging, timestamp } from '../fields.ts';

const language = z.enum(LANGUAGES);

const text = z.object({
  key: z.enum(BOT_TEXT_KEYS),
  text: z.string().describe('names in braces are values'),
});

export const botMessage = z.object({
  id,
  telegram_user_id: z.string(),
  telegram_username: z.string().nullable(),
  name: z.string().nullable(),
  /** As the person sees it. */
  text: z.string(),
  state: z.enum(MESSAGE_STATES),
  attempts: z.int(),
  /** Problem of the last attempt; null when there was none or it succeeded. */
  problem: z.enum(MESSAGE_PROBLEMS).nullable(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
});

const managed = { permission: 'super', recentAuth: false } as const;

/** What the bots of communities say to people. */
export const exchangeBotAnswerCalls = entries({
  'GET /api/exchange-bot/{id}/texts': {
    ...managed,
    summary: 'What bots say in one language. The texts are ours: nobody can change them',
    params: byId,
    query: z.strictObject({ language }),
    answer: ok(z.array(text)),
    errors: ['not_found'],
  },
  'GET /api/exchange-bot/{id}/messages': {
    ...managed,
    summary: 'The messages of a bot, newest first',
    params: byId,
    query: z.strictObject({ state: z.enum(MESSAGE_STATES).optional(), ...paging }),
    answer: page(botMessage, { total: z.int() }),
    errors: ['not_found'],
  },
  'POST /api/exchange-bot/{id}/messages/retry': {
    ...managed,
    idempotent: true,
    summary: 'Sends the failed messages of a bot again, the oldest first and 1,000 at most',
    params: byId,
    answer: ok(z.object({ queued: z.int(), remaining: z.int() })),
    errors: ['not_found'],
    perMinute: 10,
  },
  'POST /api/exchange-bot/{id}/messages/{messageId}/retry': {
    ...managed,
    idempotent: true,
    summary: 'Sends a failed message of a bot again',
    params: z.strictObject({ id, messageId: id }),
    answer: ok(botMessage),
    errors: ['not_found', 'message_not_failed'],
    perMinute: 60,
  },
});
