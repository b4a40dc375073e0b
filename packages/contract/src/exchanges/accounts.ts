import { EXCHANGES } from '@copydesk/domain/catalogue';
import { ACCOUNT_STATES, ACCOUNT_TYPES, EXCHANGE_PROBLEM_CODES } from '@copydesk/domain/trading';
import { z } from 'zod';
import { entries, page } from '../entry.ts';
import { decimalString, flag, id, orderDir, queryInteger, searched, timestamp } from '../fields.ts';

const state = z
  .enum(ACCOUNT_STATES)
  .describe(
    'failing: a problem that a person ends; unread: due for an hour, or not read for an hour because of a problem that passes; new: connected and never read; read: all others',
  );

/** An exchange account with what keeps it from being read; nothing of its key. */
const listedAccount = z.object({
  id,
  trader_id: id,
  /** Its reference number, else its Telegram username, name, or the beginning of its id. */
  trader: z.string(),
  community_id: id,
  community: z.string(),
  provider_id: id,
  provider_name: z.string(),
  exchange: z.enum(EXCHANGES),
  acc_uid: z.string(),
  account_type: z.enum(ACCOUNT_TYPES).nullable(),
  /** USD, as last read; null: no value was ever read. */
  equity: decimalString.nullable(),
  equity_read_at: timestamp.nullable(),
  state,
  /** Of the last reading; null: it succeeded, or there was none. */
  problem: z.enum(EXCHANGE_PROBLEM_CODES).nullable(),
  /** Its last reading, or its connection if there was none. Null: it is read, and the last reading met no problem. */
  since: timestamp.nullable(),
  /** When it is due; in the past: no worker came to it yet. Null: it is being read. */
  next_read_at: timestamp.nullable(),
  /** Readings in a row that failed. */
  failures: z.int(),
  /** Whether its key may withdraw; null: the exchange does not say. */
  may_withdraw: z.boolean().nullable(),
  /** When its exchange ends its key, if that is within 14 days. */
  key_ends_at: timestamp.nullable(),
});
export type ListedAccount = z.infer<typeof listedAccount>;

const ACCOUNT_ORDERS = ['unread_for', 'equity'] as const;

export const accountCalls = entries({
  'GET /api/accounts': {
    summary: 'Exchange accounts in scope, with what keeps one from being read',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    query: z.strictObject({
      state: state.optional(),
      problem: z.enum(EXCHANGE_PROBLEM_CODES).optional(),
      key_ends_soon: flag.optional().describe('those whose keys work, and end within 14 days'),
      exchange: z.enum(EXCHANGES).optional(),
      provider_id: id.optional(),
      community_id: id.optional(),
      search: searched
        .optional()
        .describe(
          'accounts of traders with it as part of a reference number, name, Telegram name or id, e-mail, address or account',
        ),
      orderBy: z
        .enum(ACCOUNT_ORDERS)
        .optional()
        .describe('unread_for when omitted: failing ones first, then unread, new and read ones'),
      orderDir: orderDir.optional(),
      limit: queryInteger(1, 200).optional(),
      offset: queryInteger(0, 10_000_000).optional(),
    }),
    answer: page(listedAccount, {
      /** Accounts that match every filter, including the state. */
      total: z.int(),
      /** Accounts by state that match every filter except the state. */
      states: z.object({ failing: z.int(), unread: z.int(), new: z.int(), read: z.int() }),
      /** USD: the last known equity of those of `total` that are failing or unread. */
      equity_unread: decimalString,
      /** When the counts and the sum were computed. */
      totals_at: timestamp,
    }),
    errors: [],
  },
});
