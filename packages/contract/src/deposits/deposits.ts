import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { decimalString, id, line, timestamp } from '../fields.ts';

/** A transfer to a deposit address that the books could not take. */
const setAside = z.object({
  id,
  trader: z.object({ id, reference_number: z.string().nullable() }),
  /** USDT */
  amount: decimalString,
  from_address: z.string(),
  transaction_hash: z.string(),
  reason: z.enum(['amount_too_large', 'cannot_be_booked']),
  created_at: timestamp,
});

/** Reading deposits from the chain. */
export const depositCalls = entries({
  'GET /api/super-admin/deposit-reading': {
    permission: 'super',
    recentAuth: false,
    summary: 'Progress of reading deposits from the chain, the reason for a stop, and transfers set aside',
    answer: ok(
      z.object({
        /** The last block whose deposits are booked; null before the worker's first reading. */
        block_number: z.int().nullable(),
        updated_at: timestamp.nullable(),
        /** null while reading runs. */
        stopped_because: z.string().nullable(),
        /** How old the last block is that was read, where it is late: servers are behind. Null: it is not. */
        late_seconds: z.int().nullable(),
        /** Reading resumes only when a super admin resumes it. */
        needs_review: z.boolean(),
        /** The newest ones; `set_aside_count` is the total. */
        set_aside: z.array(setAside),
        set_aside_count: z.int(),
      }),
    ),
    errors: [],
  },
  'POST /api/super-admin/deposit-reading/resume': {
    permission: 'super',
    recentAuth: true,
    summary: 'Resumes deposit reading after a final block has changed',
    body: z.strictObject({ reason: line.describe('the finding of the review; stored in the audit') }),
    answer: ok(z.object({ block_number: z.int() })),
    errors: ['reading_not_stopped'],
    idempotent: true,
  },
});
