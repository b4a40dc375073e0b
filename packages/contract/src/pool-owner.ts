import { LANGUAGES } from '@copydesk/domain/catalogue';
import { z } from 'zod';
import { entries, ok } from './entry.ts';
import { decimalString, line } from './fields.ts';

// Calls behind the link in a message to the owner of a pool. The link is the only proof, and it allows only this.

const body = z.strictObject({ token: line });

const withdrawal = z.object({
  language: z.enum(LANGUAGES),
  /** over: nothing is awaited any more. */
  state: z.enum(['awaited', 'reported', 'over']),
  /** At the exchange when trading had paused; null when nothing is awaited. */
  amount: decimalString.nullable(),
  /** The proxy wallet; null when nothing is awaited. */
  address: z.string().nullable(),
  /** Everything that the page says, in the owner's language. */
  words: z.object({
    title: z.string(),
    ask: z.string(),
    all: z.string(),
    report: z.string(),
    reported: z.string(),
    over: z.string(),
  }),
});
export type OwnerWithdrawal = z.infer<typeof withdrawal>;

export const poolOwnerCalls = entries({
  'POST /api/pool-owner/withdrawal': {
    summary: 'What the owner of a pool is asked to withdraw, for the link of the message',
    permission: 'public',
    recentAuth: false,
    body,
    answer: ok(withdrawal),
    errors: ['link_invalid'],
    perMinute: 60,
  },
  'POST /api/pool-owner/withdrawal/done': {
    summary:
      "The owner reports the withdrawal: the account is read soon, and nothing else depends on the owner's word",
    permission: 'public',
    recentAuth: false,
    body,
    answer: ok(withdrawal),
    errors: ['link_invalid'],
    perMinute: 10,
  },
});
