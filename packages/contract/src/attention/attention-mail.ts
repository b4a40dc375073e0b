import { AT_ONCE, CHANNELS } from '@copydesk/domain/attention';
import { MESSAGE_PROBLEMS } from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { timestamp } from '../fields.ts';

const wishes = {
  digest_hour: z
    .int()
    .min(0)
    .max(23)
    .nullable()
    .describe('of all that waits, at this hour in the time zone of the account; null: never'),
  at_once: z.enum(AT_ONCE).describe('urgent: what is urgent; approvals: this, and what it may approve'),
  channel: z
    .enum(CHANNELS)
    .describe('telegram: by the connected chat, and by mail while that cannot be reached'),
};

const chat = z.object({
  name: z.string().nullable().describe('of the account at Telegram, which chose it; null: it has none'),
  connected_at: timestamp,
  problem: z
    .enum(MESSAGE_PROBLEMS)
    .nullable()
    .describe('why the last message did not arrive; null: it did, or none was sent'),
});

const mailWishes = z
  .object({
    ...wishes,
    is_possible: z.boolean().describe('whether a mail server is set up'),
    telegram: z.object({
      is_possible: z.boolean().describe('whether the platform has a bot'),
      chat: chat.nullable().describe('null: none is connected'),
    }),
  })
  .meta({ id: 'AttentionMail' });

/** How a person is told what waits for it, away from the console. */
export const attentionMailCalls = entries({
  'GET /api/me/attention-mail': {
    summary: 'Which messages of what waits for it the own account wants, and by which channel',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(mailWishes),
    errors: ['person_required'],
  },
  'PATCH /api/me/attention-mail': {
    summary: 'Changes which messages the own account wants: what is named, and nothing else',
    permission: 'signed-in',
    recentAuth: false,
    body: z.strictObject(wishes).partial(),
    answer: ok(mailWishes),
    errors: ['telegram_not_connected', 'person_required'],
    perMinute: 60,
  },
  'POST /api/me/telegram': {
    summary:
      "A link that connects the own account with a chat of the platform's bot: once, within 15 minutes. It replaces an earlier one",
    permission: 'signed-in',
    recentAuth: true,
    answer: ok(z.object({ url: z.string(), expires_at: timestamp })),
    errors: ['telegram_no_bot', 'person_required'],
    perMinute: 6,
  },
  'DELETE /api/me/telegram': {
    summary: 'Forgets the chat of the own account, and a link that would connect one',
    permission: 'signed-in',
    recentAuth: false,
    answer: ok(z.null()),
    errors: ['person_required'],
    perMinute: 60,
  },
});
