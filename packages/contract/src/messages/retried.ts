import { MOST_MESSAGES_RETRIED, RETRY_REASONS } from '@copydesk/domain/messages';
import { z } from 'zod';
import { ok } from '../entry.ts';
import { id } from '../fields.ts';
import { refined } from '../refined.ts';

const selectedOf = <F extends z.ZodRawShape>(filters: F) => ({
  ids: z.array(id).min(1).max(MOST_MESSAGES_RETRIED).optional(),
  matching: z
    .strictObject({
      query: z.strictObject(filters).describe('the filters of the list'),
      except: z.array(id).max(MOST_MESSAGES_RETRIED).default([]).describe('messages that are left out'),
    })
    .optional()
    .describe('all failed messages that match'),
});

interface Selected {
  ids?: unknown;
  matching?: unknown;
}
const isOne = ({ ids, matching }: Selected) => (ids === undefined) !== (matching === undefined);
const ONE = { error: 'Name messages, or filters that they are all matches of', path: ['ids'] };

/** Messages of a list that are sent again: named, or all failed ones that match. */
export function retriedOf<F extends z.ZodRawShape>(filters: F) {
  const selected = selectedOf(filters);
  return {
    preview: {
      recentAuth: false,
      body: refined(z.strictObject(selected), isOne as never, ONE),
      answer: ok(
        z.object({
          /** How many would be sent again. */
          will: z.int(),
          left_out: z.array(z.object({ reason: z.enum(RETRY_REASONS), count: z.int() })),
        }),
      ),
      errors: [],
      perMinute: 120,
    },
    order: {
      recentAuth: false,
      idempotent: true,
      body: refined(
        z.strictObject({
          ...selected,
          expected: z
            .int()
            .min(1)
            .describe('how many of them can be sent again, as it was confirmed: refused when it differs'),
        }),
        isOne as never,
        ONE,
      ),
      answer: ok(
        z.object({
          queued: z.int(),
          /** Those beyond the 1,000 of one call. */
          remaining: z.int(),
        }),
      ),
      errors: ['messages_changed'],
      perMinute: 10,
    },
  } as const;
}
