import { MOST_PAID_COUNTED, OWNER_KINDS, RECIPIENT_STATES } from '@copydesk/domain/payouts';
import { z } from 'zod';
import { entries, page } from '../entry.ts';
import { decimalString, orderDir, ownerWord, queryInteger, searched, timestamp } from '../fields.ts';
import { changedAddress } from './distributions.ts';

const ownerKind = z.enum(OWNER_KINDS);
const state = z
  .enum(RECIPIENT_STATES)
  .describe('held: its address was changed and is not paid to yet; missing: it has no address');

/** A recipient whom the platform pays, with its present address. */
const recipient = changedAddress.omit({ released_by: true }).extend({
  owner_kind: ownerKind,
  /** A uuid, of a `community_referrer` that of the community; for the platform, the recipient type. */
  owner_id: z.string(),
  /** Its name for people; of a `community_referrer`, the name of the community. */
  owner: z.string(),
  state,
  /** null: it has none; shares that were made without one wait for it. */
  address: z.string().nullable(),
  /** Before the last change; null: there was none, or no change is on record. */
  previous_address: z.string().nullable(),
  /** null: no change is on record. */
  changed_at: timestamp.nullable(),
  changed_by: z.string().nullable(),
  /** Why the caller cannot release it; null: it can, or nothing waits. */
  refusal: z.string().nullable(),
  /** Of a trader's address that waits; null: its owner said nothing. */
  owner_word: ownerWord.nullable(),
  /** USDT, in no payout yet. */
  owed: decimalString,
  /** Payouts that have arrived at its address, also those of other owners. */
  paid_count: z.int().describe(`at most ${MOST_PAID_COUNTED}: as many, or more`),
  last_paid_at: timestamp.nullable(),
  /** USDT, the median of what the last orders paid to its address; null: too few. */
  usual_amount: decimalString.nullable(),
  /** Other recipients who are paid to the same address now. */
  shared_by: z.object({
    count: z.int(),
    /** The first three by name. */
    owners: z.array(z.object({ owner_kind: ownerKind, owner: z.string() })),
  }),
});

export const recipientCalls = entries({
  'GET /api/super-admin/recipients': {
    summary: 'Everyone whom the platform pays, with the address that it pays to now',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      search: searched.optional().describe('part of a name, a reference number or an address, in any case'),
      kind: ownerKind.optional(),
      state: state.optional(),
      orderBy: z
        .enum(['name', 'changed_at'])
        .optional()
        .describe('changed_at when omitted: without a change on record, as if before all others'),
      orderDir: orderDir.optional(),
      limit: queryInteger(1, 200).optional(),
      offset: queryInteger(0, 10_000_000).optional(),
    }),
    answer: page(recipient, {
      /** Recipients that match every filter, including the state. */
      total: z.int(),
      /** Recipients by state that match every filter except the state. */
      states: z.object({ payable: z.int(), held: z.int(), missing: z.int() }),
    }),
    errors: [],
  },
});
