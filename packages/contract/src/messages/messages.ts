import { BILLING_MESSAGE_KINDS } from '@copydesk/domain/billing';
import { LANGUAGES } from '@copydesk/domain/catalogue';
import {
  MESSAGE_KINDS,
  MESSAGE_OUTCOMES,
  MESSAGE_PROBLEMS,
  MESSAGE_STATES,
  OWNER_MESSAGE_KINDS,
} from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, id, paging, searched, timestamp } from '../fields.ts';
import { retriedOf } from './retried.ts';

const kind = z.enum([...MESSAGE_KINDS, ...OWNER_MESSAGE_KINDS, ...BILLING_MESSAGE_KINDS]);
const outcome = z
  .enum(MESSAGE_OUTCOMES)
  .describe(
    'not_delivered: it failed within 30 days, and none since has reached the person; waiting: it is queued; overtaken: it failed, and is older or followed by one that arrived',
  );

/** A Telegram message to a trader, or for super admins to the owner of a community. */
const message = z
  .object({
    id,
    /** Null: it is for the owner of `community_id`. */
    trader_id: id.nullable(),
    /** Its reference number, else its Telegram username, name, or the beginning of its id. */
    trader: z.string().nullable(),
    community_id: id.nullable(),
    community: z.string().nullable(),
    /** Whose invoices it covers; null: those of several providers, or none. */
    provider_name: z.string().nullable(),
    invoice_id: id.nullable(),
    kind,
    language: z.enum(LANGUAGES),
    /** In Telegram's HTML, without links. */
    text: z.string(),
    state: z.enum(MESSAGE_STATES),
    outcome,
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

const filters = {
  trader_id: id.optional(),
  invoice_id: id.optional(),
  run_id: id.optional().describe('those of an invoicing run'),
  state: z.enum(MESSAGE_STATES).optional(),
  outcome: outcome.optional(),
  kind: kind.optional(),
  problem: z.enum(MESSAGE_PROBLEMS).optional(),
  provider_id: id.optional(),
  community_id: id.optional(),
  search: searched
    .optional()
    .describe(
      'messages to traders with it as part of a reference number, name, Telegram name or id, e-mail, address or account, and to owners of communities with it in their name',
    ),
};
const retried = retriedOf(filters);

export const messageCalls = entries({
  'GET /api/messages': {
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    summary: 'Messages to traders in scope, and for super admins to owners of communities, latest first',
    query: z.strictObject({ ...filters, ...paging }),
    answer: page(message, {
      /** Messages that match every filter, including the outcome. */
      total: z.int(),
      /** Messages by outcome that match every filter except the outcome. */
      outcomes: z.object({
        not_delivered: z.int(),
        waiting: z.int(),
        sent: z.int(),
        overtaken: z.int(),
      }),
      totals_at: timestamp,
    }),
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
  'POST /api/messages/retry-preview': {
    permission: 'super',
    summary:
      'How many of a selection of messages would be sent again, and why the others not. Nothing changes',
    ...retried.preview,
  },
  'POST /api/messages/retry': {
    permission: 'super',
    summary: 'Sends failed messages of a selection again, the oldest first and 1,000 at most',
    ...retried.order,
  },
});
