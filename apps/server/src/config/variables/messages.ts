import { z } from 'zod';
import { httpAddress, mailSender, mailServer } from '../addresses.ts';
import { BOTH, type Variables, WORKER } from '../variable.ts';

/** Messages. */
export const MESSAGES_VARIABLES = {
  TELEGRAM_BOT_TOKEN: {
    schema: z
      .string()
      .regex(/^(\d+:[\w-]+)?$/)
      .optional(),
    readers: WORKER,
    meaning:
      'Token of the bot that writes to traders, and to people who connected a chat; a super admin may store another one under Settings. Neither: messages fail, and can be sent again once there is one',
  },
  TELEGRAM_API_URL: {
    schema: httpAddress.default('https://api.telegram.org'),
    readers: BOTH,
    meaning: 'Address of the Bot API',
  },
  TELEGRAM_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(20_000).default(10_000),
    readers: BOTH,
    meaning: 'How long Telegram may take to answer',
  },
  TELEGRAM_PER_SECOND: {
    schema: z.coerce.number().int().min(1).max(1_000).default(25),
    readers: WORKER,
    meaning: 'Messages a second of all workers together; Telegram takes about 30',
  },
  SMTP_URL: {
    schema: mailServer.optional(),
    readers: BOTH,
    meaning:
      'Mail server for invitations, password resets and reminders of subscriptions. Unset: the answer to an invitation contains its link',
  },
  SMTP_FROM: {
    schema: mailSender.default('Copydesk <no-reply@localhost>'),
    readers: BOTH,
    meaning: 'Sender of those mails',
  },
} satisfies Variables;
