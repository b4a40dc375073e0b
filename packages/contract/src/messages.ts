import { LANGUAGES } from '@copydesk/domain/catalogue';
import { MESSAGE_KINDS, MESSAGE_PROBLEMS, MESSAGE_STATES } from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import { byId, id, paging, timestamp } from './fields.ts';

/** A Telegram message to a trader. */
const message = z
  .object({
    id,
    trader_id: id,
    invoice_id: id.nullable(),
    kind: z.enum(MESSAGE_KINDS),
    language: z.enum(LANGUAGES),
    text: z.string(),
    state: z.enum(MESSAGE_STATES),
    attempts: z.int(),
    /** Problem of the last attempt; null when there was none or it succeeded. */
    problem: z.enum(MESSAGE_PROBLEMS).nullable(),
    /** Whether sending it again can succeed: it failed, and not for a Telegram id that is still missing. */
    can_retry: z.boolean(),
    /** Time of the next attempt; null when it is not queued. */
    next_attempt_at: timestamp.nullable(),
    requested_by: z.string(),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
  })
  .meta({ id: 'Message' });

export const messageCalls = entries({
  'GET /api/messages': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Messages to traders in scope, latest first',
    query: z.strictObject({
      trader_id: id.optional(),
      invoice_id: id.optional(),
      state: z.enum(MESSAGE_STATES).optional(),
      ...paging,
    }),
    answer: page(message, { total: z.int(), totals_at: timestamp }),
    errors: [],
  },
  'POST /api/messages/{id}/retry': {
    permission: 'super',
    recentAuth: false,
    idempotent: true,
    summary: 'Sends a failed message again',
    params: byId,
    answer: ok(message),
    errors: ['not_found', 'message_not_failed', 'trader_not_reachable'],
    perMinute: 60,
  },
});
