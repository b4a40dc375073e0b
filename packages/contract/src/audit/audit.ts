import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { day, flag, id, line, queryInteger, searched, timestamp } from '../fields.ts';

const sequence = z.string().regex(/^\d{1,18}$/);

const filters = {
  search: searched
    .optional()
    .describe(
      'entries with all of these words, or words that begin with them: who, what, the object with its name at the time, values before and after',
    ),
  actor_id: line.optional().describe('who did it: the id of a user or a service token'),
  actor_kind: z.enum(['user', 'service', 'system']).optional(),
  kind: line.optional().describe('the part of an action before its dot, as in `trader`'),
  is_decision: flag
    .optional()
    .describe(
      'what one person decided about an order of another: payouts, orders, settings, addresses, pools, people',
    ),
  target_kind: line.optional().describe('the kind of the object, as in `trader` or `setting`'),
  target_id: line.optional().describe('the id of the object; of a setting its name'),
  provider_id: id.optional().describe('entries that name this provider'),
  from: day.optional().describe('the first day, UTC'),
  to: day.optional().describe('the last day, UTC'),
};

const entry = z
  .object({
    seq: z.string().describe('its number; numbers of changes that were undone are missing'),
    is_sealed: z
      .boolean()
      .describe('whether a worker has sealed it into the chain, which takes about a second'),
    at: timestamp,
    actor_kind: z.enum(['user', 'service', 'system']),
    actor_id: z.string(),
    actor_name: z.string(),
    is_actor_person: z.boolean().describe('whether it is a person who has an account today'),
    action: z.string(),
    target_kind: z.string(),
    target_id: z.string(),
    /** null: the target has no name, or is gone. */
    target_name: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    request_id: z.string().nullable(),
    keyed_by: z
      .enum(['api', 'worker'])
      .nullable()
      .describe('whose key its own hash is under; null: it is older than own hashes'),
  })
  .meta({ id: 'AuditEntry' });

const verification = z.object({
  requested_at: timestamp,
  requested_by: z.string(),
  finished_at: timestamp.nullable(),
  /** null: not finished. */
  is_intact: z.boolean().nullable(),
  entries: z.int().nullable(),
  head_hash: z.string().nullable(),
  problem: z.enum(['missing_entry', 'altered_entry', 'broken_link']).nullable(),
  problem_seq: z.string().nullable(),
  unchecked_entries: z
    .int()
    .nullable()
    .describe("entries of workers whose own hash was not checked, for want of the worker's key"),
  foreign_entries: z
    .int()
    .nullable()
    .describe("entries under the worker's name without the worker's key, although it had one by then"),
  foreign_seq: z.string().nullable().describe('the first of them'),
});

export const auditCalls = entries({
  'GET /api/audit': {
    summary: 'Everything that was done, newest first',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      ...filters,
      limit: queryInteger(1, 500).optional(),
      before_seq: sequence.optional().describe('the entries before this number: next_seq of the page before'),
    }),
    answer: page(entry, {
      /** null: this is the last page. A page of a search may be short, and another follow. */
      next_seq: z.string().nullable(),
      /** At most 10,000 are counted; of a search, those among the latest 10,000 that it finds. */
      total: z.int(),
      is_total_capped: z.boolean(),
      /** Of the object that is asked for, today. null: none is asked for, it has no name, or is gone. */
      target_name: z.string().nullable(),
    }),
    errors: [],
  },
  'GET /api/audit/export': {
    summary: 'The same as CSV, streamed',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject(filters),
    answer: { stream: 'text/csv' },
    errors: [],
  },
  'GET /api/audit/chain': {
    summary: 'The chain of the audit: its head, the last check, and the heads noted outside of the database',
    permission: 'super',
    recentAuth: false,
    answer: ok(
      z.object({
        head: z
          .object({
            position: z.string().describe('positions have no gap'),
            seq: z.string().describe('the number of its entry'),
            hash: z.string(),
          })
          .nullable(),
        /** Entries that a worker has yet to seal, and since when the first of them waits. */
        unsealed: z.object({ count: z.int(), since: timestamp.nullable() }),
        /** The check that is waiting or running. */
        open: verification.nullable(),
        last: verification.nullable(),
        /** By each live worker. */
        noted: z.array(z.object({ position: z.string(), at: timestamp, problem: z.string().nullable() })),
      }),
    ),
    errors: [],
  },
  'POST /api/audit/verify': {
    summary: 'Has a worker check the whole chain; one check at a time',
    permission: 'super',
    recentAuth: false,
    answer: ok(verification),
    status: 201,
    errors: [],
    perMinute: 10,
  },
});
