import {
  EXPECTED_STEP_KINDS,
  EXPECTED_STEPS,
  TIMELINE_ACTORS,
  TIMELINE_EVENTS,
  TIMELINE_MOST,
  TIMELINE_STATES,
  TIMELINE_SUBJECTS,
} from '@copydesk/domain/timeline';
import { z } from 'zod';
import { entries, ok } from '../entry.ts';
import { decimalString, id, timestamp } from '../fields.ts';

const steps = Object.values(EXPECTED_STEPS);

const timelineEvent = z.object({
  at: timestamp,
  kind: z.enum(TIMELINE_EVENTS),
  state: z.enum(TIMELINE_STATES),
  /** USDT; null: it is not about an amount. */
  amount: decimalString.nullable(),
  /** How many positions, shares or transfers it stands for. */
  count: z.int(),
  /** Who or what did it; `actor_name` is null where that has no name, or not for the caller. */
  actor: z.enum(TIMELINE_ACTORS),
  actor_name: z.string().nullable(),
  transaction_hash: z.string().nullable(),
  /** Another thing that has a page: it is about that. */
  subject: z.object({ kind: z.enum(TIMELINE_SUBJECTS), id }).nullable(),
  /** Of a message its kind, of a payout its type of recipient, of positions their exchange. */
  detail: z.string().nullable(),
  /** Why it failed, as a code. */
  problem: z.string().nullable(),
});

const expectedStep = z.object({
  kind: z.enum(EXPECTED_STEP_KINDS),
  /** When it is due; null: nothing sets a time. */
  at: timestamp.nullable(),
  count: z.int(),
  waits_for: z.enum(steps.map(({ waits_for }) => waits_for)),
  /** What happens if it does not come. */
  otherwise: z.enum(steps.map(({ otherwise }) => otherwise)),
});

const timeline = z
  .object({
    /** Latest first. */
    events: z.array(timelineEvent),
    /** Of all events. */
    event_count: z.int(),
    /** What is open, most pressing first. */
    expected: z.array(expectedStep),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof timeline>;

export const timelineCalls = entries({
  'GET /api/timeline': {
    permission: 'staff',
    capability: 'invoices:read',
    recentAuth: false,
    serviceScope: 'invoices:read',
    summary: 'What happened to the money of a trader, invoice or payout, and what is expected next',
    query: z.strictObject({
      subject_kind: z.enum(TIMELINE_SUBJECTS),
      subject_id: id,
      limit: z.coerce.number().int().min(1).max(TIMELINE_MOST).default(TIMELINE_MOST),
    }),
    answer: ok(timeline),
    errors: ['not_found'],
  },
});
