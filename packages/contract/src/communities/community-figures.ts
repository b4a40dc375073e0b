import { SIGNUP_SOURCES, TRADER_STATUSES } from '@copydesk/domain/traders';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, day, decimalString, flag, id, paging, queryInteger, timestamp } from '../fields.ts';

const communityTrader = z.object({
  id,
  name: z.string().nullable(),
  telegram_username: z.string().nullable(),
  reference_number: z.string().nullable(),
  status: z.enum(TRADER_STATUSES),
  created_at: timestamp,
  /** USD; null while no account was read. */
  aum: z.number().nullable().optional(),
  aum_read_at: timestamp.nullable().optional(),
  /** Whether providers that the caller does not see have accounts of the trader too. */
  aum_is_part: z.boolean().optional(),
});

/** A change of a percentage that invoices of a community are split by. */
const splitChange = z.object({
  day,
  /** The provider whose part changed; null: the part of the community. */
  provider: z.string().nullable(),
  /** Per cent of an invoice. */
  before: decimalString,
  after: decimalString,
});
export type SplitChange = z.infer<typeof splitChange>;

const level = { level: z.int(), name: z.string() };

/** The figures of a community, all within the caller's own providers. */
export const communityFigureCalls = entries({
  'GET /api/communities/{id}/traders': {
    summary: 'Traders of a community: a page, by AUM descending',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: z.strictObject({ include_aum: flag.optional(), ...paging }),
    answer: page(communityTrader, { total: z.int() }),
    errors: ['not_found'],
  },
  'GET /api/communities/{id}/stats': {
    summary: 'Figures of a community: traders, AUM and invoices',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(
      z.object({
        trader_count: z.int(),
        counts: z.object({ inbox: z.int(), connected: z.int(), delinquent: z.int() }),
        total_aum: decimalString,
        /** USDT, without cancelled invoices. */
        invoices: z.object({
          count: z.int(),
          unpaid_count: z.int(),
          amount: decimalString,
          paid_amount: decimalString,
          unpaid_amount: decimalString,
        }),
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/communities/{id}/days': {
    summary:
      'AUM of a community at the end of each day (UTC) in a range, today as of now, with the amounts received and paid out that day and the changes of the split',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    query: z.strictObject({ from: day, to: day }),
    answer: page(
      z.object({
        day,
        /** USD; null where no equity was recorded. */
        aum: decimalString.nullable(),
        /** USD, part of `aum`: the capital in pools. */
        pool_capital: decimalString,
        /** USDT, paid on invoices. */
        received: decimalString,
        /** USDT, paid out to recipients. */
        paid_out: decimalString,
      }),
      {
        /** Newest first, at most 200. Empty for staff of providers and for services. */
        events: z.array(splitChange),
      },
    ),
    errors: ['not_found'],
  },
  'GET /api/communities/{id}/signups': {
    summary:
      'Number of traders who joined a community by day or month (UTC) and source, without empty periods',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    query: z.strictObject({
      interval: z.enum(['day', 'month']).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    answer: ok(
      z.array(
        z.object({
          from: day.describe('its first day'),
          traders: z.int(),
          sources: z.record(z.enum(SIGNUP_SOURCES), z.int()),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/communities/{id}/vip/stats': {
    summary: 'Traders and AUM of a community by VIP level, from the lowest; level 0 is below the first',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(
      z.array(
        z.object({
          ...level,
          benefits: z.string(),
          min_aum: decimalString,
          trader_count: z.int(),
          total_aum: decimalString,
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/communities/{id}/vip/traders': {
    summary: 'Traders of a community with a VIP level: a page, by AUM descending',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    query: z.strictObject({ level: queryInteger(1, 100).optional(), ...paging }),
    answer: page(communityTrader.omit({ aum: true }).extend({ aum: z.number(), vip: z.object(level) }), {
      total: z.int(),
    }),
    errors: ['not_found'],
  },
});
