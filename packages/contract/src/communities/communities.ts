import { LANGUAGES } from '@copydesk/domain/catalogue';
import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import { COMMUNITY_STEPS } from '@copydesk/domain/setup';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
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
  telegramNumber,
  timestamp,
  walletAddress,
} from '../fields.ts';

/** Larger than any sensible amount, and within the column's range. */
const MAX_MINIMUM_BALANCE = 1_000_000_000_000;

const named = { id, name: z.string(), is_archived: z.boolean(), created_at: timestamp };

/** Figures of the traders in the caller's scope, and of their accounts under the caller's providers. */
const figures = {
  trader_count: z.int(),
  total_aum: decimalString.describe('USD: equity of exchange accounts, as last read, and pool capital'),
  pool_capital: decimalString.describe('USD, part of total_aum'),
  unread_accounts: z.int().describe('exchange accounts that total_aum leaves out: they were not read yet'),
};

/** Our wallet for the community, according to the books: USDT that is final on chain. */
const internalWallet = z.object({
  /** null: the worker has not set it up yet. */
  address: z.string().nullable(),
  balance: decimalString,
});

/** The community's own wallet. The worker reads its balance from the chain in the background. */
const externalWallet = z.object({
  address: z.string().nullable(),
  /** USDT in the last final block at the time of reading; null with a reason. */
  balance: decimalString.nullable(),
  balance_read_at: timestamp.nullable(),
  balance_missing: z
    .enum(['no_address', 'no_chain', 'not_read'])
    .nullable()
    .describe(
      'why there is no balance: no address is set, no chain is configured, or the worker has not read it yet',
    ),
});

/** The person who withdraws from the exchange when a harvest starts, and whom the platform notifies. */
const owner = {
  name: z.string().nullable(),
  telegram_id: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable().describe('null: English'),
};

const settings = {
  owner: z.object(owner),
  minimum_balance: z.number(),
  split_percentage: z.number().describe('per cent of the full amount invoiced from traders'),
  referrer_wallet_address: z.string().nullable(),
  external_wallet_address: z.string().nullable(),
  wallets: z.object({ internal: internalWallet, external: externalWallet }),
  version: seenVersion.describe('of the settings'),
};

/** The split terms of the community's invoices, besides the community's own settings. */
const splitTerms = {
  trader_referral_percentage: decimalString.describe("per cent of the community's part"),
  /** All providers that its traders may be invoiced for. Without an id: traders who selected no provider. */
  providers: z.array(
    z.object({
      id: id.nullable(),
      display_name: z.string(),
      payment_split_percentage: z.number().describe('as a fraction, 0 to 1'),
    }),
  ),
};

const adminCommunity = z
  .object({
    ...named,
    ...figures,
    ...settings,
    /** Shares of paid invoices wait to be paid out. An archived community that owes is listed with the others. */
    owes_shares: z.boolean(),
  })
  .meta({ id: 'Community' });

const splitPercentage = z.number().min(0).max(100).multipleOf(0.01);
const minimumBalance = z.int().min(1).max(MAX_MINIMUM_BALANCE);
const clearableAddress = walletAddress.nullable().describe('an empty value clears it');
/** A chat with a person. */
const telegramId = z
  .union([telegramNumber, z.literal('').transform(() => null), z.null()])
  .describe("the number of the owner's chat; an empty value clears it");
const ownerChanges = {
  owner_name: clearableLine.optional(),
  owner_telegram_id: telegramId.optional(),
  owner_language: z.enum(LANGUAGES).nullable().optional(),
};
const settingChanges = {
  version: seenBefore,
  split_percentage: splitPercentage.optional(),
  minimum_balance: minimumBalance.optional(),
  referrer_wallet_address: clearableAddress.optional(),
};

export const communityCalls = entries({
  'GET /api/communities': {
    summary:
      'Communities in scope, including archived ones: by name, or with figures by AUM, active ones first',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    query: z.strictObject({ include_aum: flag.optional() }),
    answer: page(z.object({ ...named, ...z.object(figures).partial().shape }), {
      /** When the figures were computed; null without any. */
      totals_at: timestamp.nullable(),
    }),
    errors: [],
  },
  'GET /api/super-admin/communities': {
    summary: 'All communities with figures and settings: active ones first, then by AUM descending',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({ include_archived: flag.optional() }),
    answer: page(adminCommunity, { totals_at: timestamp }),
    errors: [],
  },
  'GET /api/communities/{id}': {
    summary: 'One community. include_config adds its settings, for super admins',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    serviceScope: 'directory:read',
    params: byId,
    query: z.strictObject({ include_config: flag.optional() }),
    answer: ok(
      z.object({
        ...named,
        ...figures,
        totals_at: timestamp,
        ...z.object({ ...settings, ...splitTerms }).partial().shape,
      }),
    ),
    errors: ['not_found'],
  },
  'POST /api/communities': {
    summary: 'Creates a community with its providers. Its addresses are held like changed ones',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({
      name: line,
      provider_ids: z.array(id).min(1).max(100),
      split_percentage: splitPercentage.default(5),
      commission_rate: z
        .number()
        .min(0)
        .max(1)
        .multipleOf(0.01)
        .optional()
        .describe(
          'part of the profit that is invoiced, as a fraction; by default the setting of the platform',
        ),
      minimum_balance: minimumBalance.default(Number(BUSINESS_DEFAULTS.communityMinimumBalance)),
      referrer_wallet_address: clearableAddress.default(null),
      external_wallet_address: clearableAddress.default(null),
      ...ownerChanges,
    }),
    answer: ok(adminCommunity),
    status: 201,
    errors: [
      'not_found',
      'text_refused',
      'community_name_taken',
      'provider_inactive',
      'split_exceeds_invoice',
    ],
    idempotent: true,
  },
  'PATCH /api/communities/{id}': {
    summary: 'Changes the settings of a community',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject({
      ...settingChanges,
      ...ownerChanges,
      name: line.optional(),
      external_wallet_address: clearableAddress.optional(),
    }),
    answer: ok(adminCommunity),
    errors: [
      'not_found',
      'changed_meanwhile',
      'text_refused',
      'split_exceeds_invoice',
      'community_name_taken',
    ],
    idempotent: true,
  },
  'PATCH /api/super-admin/communities/{id}': {
    summary: 'Changes split percentage, minimum balance or referrer address of a community',
    permission: 'super',
    recentAuth: true,
    params: byId,
    body: z.strictObject(settingChanges),
    answer: ok(adminCommunity),
    errors: ['not_found', 'changed_meanwhile', 'text_refused', 'split_exceeds_invoice'],
    idempotent: true,
  },
  'PATCH /api/super-admin/communities/{id}/archive': {
    summary: 'Archives a community with zero AUM, no open invoices and no pending shares',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject({
      /** Archives it although traders have credit, which stays theirs. */
      with_credit: flag.optional(),
    }),
    answer: ok(adminCommunity),
    errors: [
      'not_found',
      'community_has_aum',
      'community_pool_open',
      'community_has_open_invoices',
      'community_has_pending_shares',
      'community_has_credit',
      'payment_on_its_way',
    ],
  },
  'PATCH /api/super-admin/communities/{id}/restore': {
    summary: 'Restores an archived community',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(adminCommunity),
    errors: ['not_found', 'community_not_archived'],
  },
  'DELETE /api/super-admin/communities/{id}': {
    summary: 'Deletes a community without traders or other references',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(z.object({ id })),
    errors: ['not_found', 'community_has_traders', 'delete_community_failed'],
  },
  'GET /api/super-admin/communities/{id}/setup-checklist': {
    summary: 'What a community needs before its first payout, step by step',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(
      z.array(
        z.object({
          step: z.enum(COMMUNITY_STEPS),
          /** wrong: it is set up, and does not work now. */
          state: z.enum(['done', 'missing', 'wrong']),
          text: z.string(),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/super-admin/communities/{id}/split-history': {
    summary: 'Changes to the settings of a community, newest first',
    permission: 'super',
    recentAuth: false,
    params: byId,
    query: z.strictObject(paging),
    answer: page(
      z.object({
        at: timestamp,
        actor_name: z.string(),
        actor_kind: z.enum(['user', 'service', 'system']),
        /** Changed fields only. */
        before: z.record(z.string(), z.string().nullable()),
        after: z.record(z.string(), z.string().nullable()),
      }),
      { total: z.int() },
    ),
    errors: ['not_found'],
  },
});
