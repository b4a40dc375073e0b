import { SETTING_DEFAULTS, SETTING_NAMES } from '@copydesk/domain/settings';
import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import { splitList } from '../split-list.ts';
import { BOTH, type Variables, WORKER } from '../variable.ts';

/** A setting of its own kind: its value is a secret. */
export const TELEGRAM_BOT = 'telegram_bot';
const LOCKABLE = [...SETTING_NAMES, TELEGRAM_BOT] as const;

/** As the queue reads it: five fields, to the minute. */
function isSchedule(text: string): boolean {
  try {
    CronExpressionParser.parse(text, { strict: false });
    return text.trim().split(/\s+/).length === 5;
  } catch {
    return false;
  }
}

/** Invoices. */
export const INVOICES_VARIABLES = {
  INVOICING_CRON: {
    schema: z
      .string()
      .refine(isSchedule, 'must be a cron expression of five fields, as in 0 6 * * 1')
      .default('0 6 * * 1'),
    readers: WORKER,
    meaning: 'Schedule of invoicing runs: a cron expression, UTC',
  },
  INVOICE_DUE_DAYS: {
    schema: z.coerce.number().int().min(1).max(365).default(SETTING_DEFAULTS.invoice_due_days),
    readers: BOTH,
    meaning: 'Days from the creation of an invoice until it is overdue',
  },
  COMMISSION_RATE: {
    schema: z
      .string()
      .regex(/^(0(\.\d{1,4})?|1)$/)
      .default(SETTING_DEFAULTS.commission_rate),
    readers: BOTH,
    meaning: 'Commission of new communities, as a fraction',
  },
  HEXMOUNT_WEIGHT: {
    schema: z.coerce.number().int().min(0).max(1_000).default(1),
    readers: BOTH,
    meaning:
      "How the platform's part of invoices is shared among its own recipients, together with `SIXK_WEIGHT`",
  },
  SIXK_WEIGHT: {
    schema: z.coerce.number().int().min(0).max(1_000).default(1),
    readers: BOTH,
    meaning: 'See `HEXMOUNT_WEIGHT`',
  },
  BOT_COMMUNITY_PERCENTAGE: {
    schema: z
      .string()
      .regex(/^(\d{1,2}(\.\d{1,2})?|100)$/)
      .default(SETTING_DEFAULTS.bot_community_percentage),
    readers: BOTH,
    meaning: "Percentage of a sale by a community's bot for the community; the rest is the platform's",
  },
  LOCKED_SETTINGS: {
    schema: z
      .string()
      .default('')
      .transform((text) => (text === 'all' ? LOCKABLE : splitList(text)))
      .pipe(z.array(z.enum(LOCKABLE)))
      // Levels are rows of the database, which no variable gives.
      .transform((names) => names.filter((name) => name !== 'vip_tiers')),
    readers: BOTH,
    meaning:
      "Settings that the console may not change, separated by commas, or `all`; `telegram_bot` for the token of the platform's bot; VIP levels cannot be locked",
  },
} satisfies Variables;
