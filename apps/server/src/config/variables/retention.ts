import { z } from 'zod';
import { type Variables, WORKER } from '../variable.ts';

/** How long rows are kept that nothing needs any more. The ledger, the audit, invoices and payouts are kept for ever. */
export const RETENTION_VARIABLES = {
  RETENTION_CHANGES_HOURS: {
    schema: z.coerce.number().int().min(1).max(720).default(24),
    readers: WORKER,
    meaning: 'Hours for which a console that was away can catch up without loading everything again',
  },
  RETENTION_MESSAGES_DAYS: {
    schema: z.coerce.number().int().min(90).max(36_500).optional(),
    readers: WORKER,
    meaning:
      'Days for which sent messages to traders are listed. Messages about invoices that are not settled stay. Unset: all stay',
  },
  RETENTION_BOT_MESSAGES_DAYS: {
    schema: z.coerce.number().int().min(7).max(3_650).default(90),
    readers: WORKER,
    meaning: 'The same for messages of the bots of communities, and of the platform to people of the console',
  },
  RETENTION_READINGS_DAYS: {
    schema: z.coerce.number().int().min(400).max(36_500).optional(),
    readers: WORKER,
    meaning:
      'Days for which the daily equity of each trader is kept, and then the rest of its month; sums of communities stay. Unset: all stay',
  },
  RETENTION_MONTHS: {
    schema: z.enum(['dropped', 'kept']).default('dropped'),
    readers: WORKER,
    meaning:
      'What becomes of the months of daily equity that leave: `dropped`, or `kept` as tables in the schema `partition`, which nothing reads',
  },
  RETENTION_REFUSALS_DAYS: {
    schema: z.coerce.number().int().min(180).max(3_650).default(180),
    readers: WORKER,
    meaning: 'Days for which refused attempts are listed in the security log',
  },
} satisfies Variables;
