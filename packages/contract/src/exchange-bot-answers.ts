import { BOT_TEXT_KEYS, LANGUAGES, MESSAGE_PROBLEMS, MESSAGE_STATES } from '@copydesk/domain';
import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import { byId, id, paging, timestamp } from './fields.ts';

const language = z.enum(LANGUAGES);
const key = z.enum(BOT_TEXT_KEYS);

const text = z.object({
  key,
  /** The label of a button is one line. */
  kind: z.enum(['message', 'button']),
  /** Names in braces that the text may contain, and those that it must. */
  placeholders: z.array(z.string()),
  required: z.array(z.string()),
  default_text: z.string(),
  /** The community's own; null: the default counts. */
  text: z.string().nullable(),
});

const message = z.object({
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
    summary: 'The texts of a bot in one language, with the defaults',
    params: byId,
    query: z.strictObject({ language }),
    answer: ok(z.array(text)),
    errors: ['not_found'],
  },
  'PUT /api/exchange-bot/{id}/texts': {
    ...managed,
    summary: 'Writes a text of a bot; null: the default counts again',
    params: byId,
    body: z.strictObject({ language, key, text: z.string().trim().max(4_000).nullable() }),
    answer: ok(text),
    errors: ['not_found'],
    perMinute: 120,
  },
  'GET /api/exchange-bot/{id}/messages': {
    ...managed,
    summary: 'The messages of a bot, newest first',
    params: byId,
    query: z.strictObject({ state: z.enum(MESSAGE_STATES).optional(), ...paging }),
    answer: page(message, { total: z.int() }),
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
    answer: ok(message),
    errors: ['not_found', 'message_not_failed'],
    perMinute: 60,
  },
});
