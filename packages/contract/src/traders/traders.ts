import { EXCHANGES, LANGUAGES } from '@copydesk/domain/catalogue';
import { MESSAGE_PROBLEMS } from '@copydesk/domain/messages';
import { TRADER_STATUSES, TRADER_TABS } from '@copydesk/domain/traders';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { openPosition, traderExchange } from '../exchanges/exchanges.ts';
import {
  byId,
  clearableLine,
  decimalString,
  deepPaging,
  email,
  flag,
  id,
  line,
  nextCursor,
  orderDir,
  paging,
  searched,
  searchIn,
  seenBefore,
  seenVersion,
  telegramNumber,
  timestamp,
  walletAddress,
} from '../fields.ts';
import { historyPosition } from './trader-history.ts';

const status = z.enum(TRADER_STATUSES);
const exchange = z.enum(EXCHANGES);
const language = z.enum(LANGUAGES);

const recentInvoice = z.object({
  id,
  amount: decimalString,
  is_paid: z.boolean(),
  status: z.enum(['pending', 'paid', 'cancelled']),
  created_at: timestamp,
});

/** What a trader owes the providers in scope, and what did not reach it. */
const standing = z.object({
  /** USDT that is outstanding of the invoices that it is asked to pay, as `POST /api/invoices/trader/{id}/notify` says. */
  owed_amount: decimalString,
  owed_count: z.int(),
  /** Creation of the oldest of them; null without any. */
  oldest_owed_at: timestamp.nullable(),
  /** Open invoices besides, which a pool pays from its result. */
  pool_count: z.int(),
  failed_messages: z.int(),
  /** Of the latest of them; null without any. */
  last_failure: z
    .object({ problem: z.enum(MESSAGE_PROBLEMS).nullable(), invoice_id: id.nullable() })
    .nullable(),
});

/** A trader. The optional parts depend on the call's include flags. */
export const trader = z
  .object({
    id,
    status,
    name: z.string().nullable(),
    email: z.string().nullable(),
    telegram_username: z.string().nullable(),
    telegram_user_id: z.string().nullable(),
    language,
    selected_provider_id: id.nullable(),
    reference_number: z.string().nullable(),
    community_id: id,
    external_wallet_address: z.string().nullable(),
    last_updated_by: z.string().nullable(),
    /** Start of the suggestion to mark it as delinquent because of overdue invoices; null while there is none. */
    suggested_delinquent_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    /** Of what `PATCH` changes; lists have none. */
    version: seenVersion.optional(),
    /** USD: equity of the visible exchange accounts, as last read, and pool capital; null before the first reading. */
    aum: z.number().nullable().optional(),
    /** Of its oldest reading. */
    aum_read_at: timestamp.nullable().optional(),
    /** Whether providers that the caller does not see have accounts of the trader too. */
    aum_is_part: z.boolean().optional(),
    /** Its capital in pools, USD, part of `aum`. */
    aum_pool_capital: decimalString.optional(),
    /** Visible accounts that `aum` leaves out, because they were not read yet. */
    aum_unread_accounts: z.int().optional(),
    /**
     * The minimum balance of its community, USD, if its whole AUM is below it, also where the caller sees a part; else
     * null. A trader without accounts counts as below; one with an account that was not read yet does not.
     */
    below_minimum_balance: z.number().nullable().optional(),
    exchanges: z.array(traderExchange).optional(),
    active_positions: z.array(openPosition).optional(),
    position_history: z.object({ total_count: z.int(), positions: z.array(historyPosition) }).optional(),
    referrals: z.object({ count: z.int(), total_aum: decimalString }).optional(),
    referral_code: z.string().optional(),
    invoices: z.object({ total_count: z.int(), recent_invoices: z.array(recentInvoice) }).optional(),
    standing: standing.optional(),
  })
  .meta({ id: 'Trader' });
export type Trader = z.infer<typeof trader>;

const includeFlags = {
  include_aum: flag.optional(),
  include_exchanges: flag.optional(),
  include_active_positions: flag.optional(),
  include_position_history: flag.optional(),
  include_referrals: flag.optional(),
  include_referral_code: flag.optional(),
  include_invoices: flag.optional(),
};

const person = { id, display_name: z.string() };
/** The referrer's part of paid invoices, USDT: in all, and what of it is not paid out yet. */
const earnings = { earned: decimalString, unpaid: decimalString };

const TRADER_ORDERS = ['aum', 'reference_number', 'telegram_username', 'created_at'] as const;

/** The filters of the list: the same shape for the page, the counts and the export. */
const traderFilters = {
  tab: z
    .enum([...TRADER_TABS, 'none'])
    .optional()
    .describe('none: pending, without an exchange account'),
  search: searched.optional().describe('part of a reference number, in any case'),
  search_in: searchIn.optional(),
  community_id: id.optional(),
  provider_id: id.optional(),
  exchange: exchange.optional(),
  below_minimum_balance: flag
    .optional()
    .describe('only traders below the minimum balance of their community'),
  orderBy: z.enum(TRADER_ORDERS).optional(),
  orderDir: orderDir.optional(),
};

export const traderListQuery = z.strictObject({ ...includeFlags, ...traderFilters, ...deepPaging });
export const traderExportQuery = z.strictObject(traderFilters);

export const traderCalls = entries({
  'GET /api/traders': {
    summary: 'Traders in scope: a page, with counts by tab and the sum of AUM',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    query: traderListQuery,
    answer: page(trader, {
      /** Rows that match every filter, including the tab. */
      total: z.int(),
      /** Rows by tab that match every filter except the tab. */
      counts: z.object({ inbox: z.int(), connected: z.int(), delinquent: z.int(), none: z.int() }),
      /** AUM of all traders in scope, regardless of filters. */
      total_aum: decimalString,
      /** What of it is in pools, and the exchange accounts that it leaves out: they were not read yet. */
      pool_capital: decimalString,
      unread_accounts: z.int(),
      /** AUM of the traders that match every filter, including the tab. */
      filtered_aum: decimalString,
      /** When the counts and sums were computed. */
      totals_at: timestamp,
      next_cursor: nextCursor,
    }),
    errors: ['invalid_cursor'],
  },
  'GET /api/traders/export': {
    summary: 'The filtered traders as CSV, streamed',
    permission: 'staff',
    capability: 'data:export',
    recentAuth: false,
    query: traderExportQuery,
    answer: { stream: 'text/csv' },
    errors: [],
    perMinute: 10,
  },
  'POST /api/traders': {
    summary: 'Creates a trader; its status is pending',
    permission: 'staff',
    capability: 'traders:write',
    // The referrer of a trader gets a part of its invoices.
    recentAuth: { whenBodyHas: ['referral_code'], exceptServices: true },
    serviceScope: 'traders:write',
    body: z.strictObject({
      community_id: id,
      selected_provider_id: id,
      name: clearableLine.optional(),
      email: email.nullable().optional(),
      telegram_username: clearableLine.optional(),
      telegram_user_id: telegramNumber.nullable().optional(),
      language: language.default('en'),
      reference_number: clearableLine.optional(),
      referral_code: line.optional(),
    }),
    answer: ok(trader),
    status: 201,
    errors: ['not_found', 'reference_number_taken', 'telegram_id_taken', 'community_archived'],
    idempotent: true,
  },
  'GET /api/traders/{id}': {
    summary: 'One trader',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: z.strictObject({
      ...includeFlags,
      include_standing: flag.optional().describe('for services with the scope invoices:read only'),
    }),
    answer: ok(trader),
    errors: ['not_found'],
  },
  'PATCH /api/traders/{id}': {
    summary:
      'Changes a trader. A service token may name the author in last_updated_by; for a person it is always that person',
    permission: 'staff',
    capability: 'traders:write',
    // Invoices, payment addresses and questions about a new payout address are sent to the Telegram id; the
    // e-mail address identifies a person who reports a new id.
    recentAuth: { whenBodyHas: ['external_wallet_address', 'telegram_user_id', 'email'] },
    serviceScope: 'traders:write',
    params: byId,
    body: z.strictObject({
      status: status.optional(),
      name: clearableLine.optional(),
      email: email.nullable().optional(),
      telegram_username: clearableLine.optional(),
      telegram_user_id: telegramNumber.nullable().optional(),
      reference_number: clearableLine.optional(),
      last_updated_by: z.string().max(200).nullable().optional(),
      external_wallet_address: walletAddress.nullable().optional(),
      language: language.optional(),
      version: seenBefore,
    }),
    answer: ok(trader),
    errors: ['not_found', 'changed_meanwhile', 'reference_number_taken', 'telegram_id_taken'],
  },
  'DELETE /api/traders/{id}': {
    summary:
      'Deletes a trader without exchange accounts, positions or invoices, of its own or of its referrals',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found', 'trader_has_records', 'trader_has_referrals', 'trader_has_credit'],
  },
  'GET /api/traders/{id}/vip': {
    summary: 'The VIP level of a trader by its AUM',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(
      z.object({
        level: z.int(),
        name: z.string(),
        /** What the platform offers at this level; empty: nothing. */
        benefits: z.string(),
        /** USD, as far as the caller sees it. The level is that of the whole. */
        aum: z.number(),
        aum_is_part: z.boolean(),
        /** From this level to the next, 0 to 1; 1 at the top. Null where `aum` is a part, which would tell the whole. */
        progress: z.number().nullable(),
        next_level: z
          .object({
            level: z.int(),
            name: z.string(),
            benefits: z.string(),
            min_aum: decimalString,
            missing_aum: decimalString.nullable(),
          })
          .nullable(),
      }),
    ),
    errors: ['not_found'],
  },
  'POST /api/traders/referral': {
    summary: 'Records that a trader was referred by the owner of a referral code',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: true,
    serviceScope: 'traders:write',
    body: z.strictObject({ trader_id: id, referral_code: line }),
    answer: ok(z.object({ trader_id: id, referred_by_trader_id: id })),
    errors: ['not_found', 'trader_already_referred', 'referral_refused'],
  },
  'GET /api/traders/{id}/referrals': {
    summary: 'The traders that a trader has referred, the latest first, with what they earned the trader',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: z.strictObject(paging),
    answer: page(
      z.object({
        ...person,
        reference_number: z.string().nullable(),
        status: z.enum(TRADER_STATUSES),
        created_at: timestamp,
        /** USD; null while no account was read. */
        aum: z.number().nullable(),
        aum_is_part: z.boolean(),
        referral_count: z.int(),
        ...earnings,
      }),
      {
        total: z.int(),
        referral_code: z.string(),
        /** Opens the community's bot with the code; null without a bot that is switched on. */
        referral_link: z.string().nullable(),
        /** Null: none that the caller may see. */
        referred_by: z.object(person).nullable(),
        /** Whether its share waits until another super admin releases who referred the trader; for staff false. */
        referrer_awaits_release: z.boolean(),
        ...earnings,
      },
    ),
    errors: ['not_found'],
  },
  'POST /api/traders/{id}/referrals/regenerate': {
    summary: 'Gives a trader a new referral code; the old one stops working',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: false,
    serviceScope: 'traders:write',
    params: byId,
    answer: ok(z.object({ referral_code: z.string() })),
    errors: ['not_found'],
  },
  'GET /api/traders/referral-info/{code}': {
    summary: 'The owner of a referral code',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: z.strictObject({ code: line }),
    answer: ok(
      z.object({ trader_id: id, display_name: z.string(), community_id: id, community_name: z.string() }),
    ),
    errors: ['not_found'],
  },
});
