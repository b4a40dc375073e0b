import { STAFF_ROLE_NAMES } from '@copydesk/domain/access';
import { EXCHANGES, PROVIDER_EXCHANGES } from '@copydesk/domain/catalogue';
import { z } from 'zod';
import { entries, ok, page } from './entry.ts';
import {
  byId,
  clearableLine,
  decimalString,
  flag,
  id,
  line,
  paging,
  seenBefore,
  seenVersion,
  timestamp,
  walletAddress,
} from './fields.ts';

const listed = {
  id,
  name: z.string(),
  display_name: z.string(),
  payment_split_percentage: z.number().describe('as a fraction, 0 to 1'),
  supported_exchanges: z.array(z.enum(EXCHANGES)).describe('empty: all. Hyperliquid is accepted in any case'),
  is_active: z.boolean(),
  invoicing_enabled: z.boolean(),
};

/** What super admins see besides. */
const settings = {
  payout_address: z.string().nullable().describe("where the provider's shares are paid; null: they wait"),
  minimum_commission_rate: z.number().describe('as a fraction, 0 to 1'),
  telegram_admin_channel_id: z.string().nullable(),
  reveal_super_only: z.boolean().describe('only super admins may reveal exchange secrets of its accounts'),
  created_at: timestamp,
  updated_at: timestamp,
  version: seenVersion.describe('of the settings'),
};

const provider = z.object({ ...listed, ...settings }).meta({ id: 'Provider' });

/** In steps of one per cent (super-admin spec, section 5). */
const fraction = z.number().min(0).max(1).multipleOf(0.01);
const address = walletAddress.nullable().describe('an empty value clears it');

const fields = {
  name: line,
  display_name: line,
  payment_split_percentage: fraction,
  supported_exchanges: z
    .array(z.enum(PROVIDER_EXCHANGES))
    .max(PROVIDER_EXCHANGES.length)
    .transform((exchanges) => PROVIDER_EXCHANGES.filter((exchange) => exchanges.includes(exchange))),
  is_active: z.boolean(),
  telegram_admin_channel_id: clearableLine,
  payout_address: address,
  minimum_commission_rate: fraction,
  reveal_super_only: z.boolean(),
};

const amounts = { count: z.int(), amount: decimalString.describe('USDT') };

export const providerCalls = entries({
  'GET /api/providers': {
    summary: 'The providers in scope, by display name',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    query: z.strictObject({ active: flag.optional() }),
    answer: ok(z.array(z.object(listed))),
    errors: [],
  },
  'GET /api/providers/{id}': {
    summary: 'One provider; with its settings for super admins',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(z.object({ ...listed, ...z.object(settings).partial().shape })),
    errors: ['not_found'],
  },
  'GET /api/providers/{id}/people': {
    summary: 'Who has access to a provider as staff, by name: for its owners',
    permission: 'staff',
    capability: 'people:read',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          email: z.string(),
          role: z.enum(STAFF_ROLE_NAMES),
          disabled: z.boolean(),
          /** False until the invitation is accepted. */
          active: z.boolean(),
          two_factor_enabled: z.boolean(),
          last_seen_at: timestamp.nullable(),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'POST /api/providers': {
    summary: 'Creates a provider. Its payout address is held like a changed one',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({
      name: fields.name,
      display_name: fields.display_name,
      payment_split_percentage: fields.payment_split_percentage.default(0.35),
      supported_exchanges: fields.supported_exchanges.default([]),
      is_active: fields.is_active.default(true),
      telegram_admin_channel_id: fields.telegram_admin_channel_id.default(null),
      payout_address: fields.payout_address.default(null),
      minimum_commission_rate: fields.minimum_commission_rate.default(0),
      reveal_super_only: fields.reveal_super_only.default(false),
    }),
    answer: ok(provider),
    status: 201,
    errors: ['text_refused', 'provider_name_taken'],
    idempotent: true,
  },
  'PUT /api/providers/{id}': {
    summary: 'Changes the given fields of a provider',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ ...z.object(fields).partial().shape, version: seenBefore }),
    answer: ok(provider),
    errors: [
      'not_found',
      'changed_meanwhile',
      'text_refused',
      'provider_name_taken',
      'split_exceeds_invoice',
    ],
    idempotent: true,
  },
  'PATCH /api/providers/{id}/invoicing': {
    summary: 'Enables or disables invoices for the traders of a provider',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({ invoicing_enabled: z.boolean() }),
    answer: ok(provider),
    errors: ['not_found'],
    idempotent: true,
  },
  'GET /api/providers/{id}/communities': {
    summary: 'The communities that work with a provider, with its traders and their AUM there',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(
      z.array(
        z.object({
          id,
          name: z.string(),
          is_archived: z.boolean(),
          custom_display_name: z.string().nullable(),
          is_active: z.boolean().describe('whether its traders may choose the provider'),
          trader_count: z.int(),
          total_aum: decimalString.describe(
            'USD: accounts under this provider, and pool capital of the traders whom it sees',
          ),
          /** For super admins: what a changed share of the provider does to the split there. */
          split_percentage: z.number().optional(),
          has_referrer: z.boolean().optional(),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/providers/{id}/exchanges': {
    summary: 'Every exchange: whether the provider works with it, and its connected accounts there',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    answer: ok(
      z.array(
        z.object({
          exchange: z.enum(EXCHANGES),
          is_supported: z.boolean(),
          accounts: z.int(),
          failing: z.int().describe('their last read failed'),
          unread: z.int().describe('never read yet'),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/providers/{id}/figures': {
    summary: 'Traders, AUM, invoices and shares of a provider',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.object({
        community_count: z.int(),
        staff_count: z.int(),
        trader_count: z.int(),
        total_aum: decimalString.describe(
          'USD: accounts under this provider, and pool capital of the traders whom it sees',
        ),
        pool_capital: decimalString.describe('USD, part of total_aum'),
        invoices: z.object({
          unpaid: z.object(amounts),
          overdue: z.object(amounts),
          paid: z.object({
            count: z.int(),
            amount: decimalString.describe('USDT received, part payments included'),
          }),
        }),
        share: z.object({
          pending: decimalString.describe('USDT of paid invoices that is not in a payout'),
          under_way: decimalString.describe('USDT in payouts that are not final'),
          failed: decimalString.describe('USDT in payouts that failed'),
          paid_out: decimalString.describe('USDT'),
        }),
        totals_at: timestamp,
      }),
    ),
    errors: ['not_found'],
  },
  'GET /api/providers/{id}/history': {
    summary: 'Changes to the settings of a provider, newest first',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(
      z.object({
        at: timestamp,
        actor_name: z.string(),
        actor_kind: z.enum(['user', 'service', 'system']),
        action: z.enum(['provider.created', 'provider.changed', 'provider.invoicing_changed']),
        /** Changed fields only; null for a new provider. */
        before: z.record(z.string(), z.unknown()).nullable(),
        after: z.record(z.string(), z.unknown()),
      }),
      { total: z.int() },
    ),
    errors: ['not_found'],
  },
});
