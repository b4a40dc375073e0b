import { decimalToUnits } from '@copydesk/domain/money';
import {
  type PlatformSettings,
  SCHEDULED_INVOICING,
  SETTING_NAMES,
  type SettingName,
} from '@copydesk/domain/settings';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import {
  byId,
  decimalString,
  id,
  line,
  queryInteger,
  rowVersion,
  seenVersion,
  timestamp,
  walletAddress,
} from '../fields.ts';
import { refined } from '../refined.ts';

const hours = z.int().min(0).max(8_760);
const wholeUsdt = z.int().min(1).max(1_000_000_000_000).nullable();
const weight = z.int().min(0).max(1_000);
/** In base units; amounts have passed `amount`. */
const units = (text: string) => decimalToUnits(text) ?? 0n;
const amount = z.string().regex(/^\d{1,15}(\.\d{1,18})?$/, 'Invalid input');

const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Invalid input')
  .nullable();

const vipTier = z.strictObject({
  name: line.max(40),
  // As many decimals as the table of levels keeps.
  min_aum: refined(z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, 'Invalid input'), (text) => units(text) > 0n),
  benefits: line.or(z.literal('')).optional(),
});
const vipTiers = refined(
  refined(
    z.array(vipTier).min(1).max(20),
    (tiers) => tiers.every(({ min_aum }, at) => units(min_aum) > units(tiers[at - 1]?.min_aum ?? '0')),
    { error: 'Each level needs a higher AUM than the one before' },
  ),
  (tiers) => new Set(tiers.map((tier) => tier.name.toLowerCase())).size === tiers.length,
  { error: 'Each level needs a name of its own' },
);

/** The values of settings on the wire. */
const settingValues = {
  approval_above_usdt: amount.nullable(),
  write_off_above_usdt: amount.nullable(),
  tip_up_to_usdt: amount,
  minimum_invoice_usdt: amount,
  scheduled_invoicing: z.enum(SCHEDULED_INVOICING),
  minimum_payout_usdt: amount,
  approver_min_hours: z.int().min(0).max(168),
  payout_max_per_transaction: wholeUsdt,
  payout_max_per_day: wholeUsdt,
  payout_address_hold_hours: hours,
  chain_max_fee_gwei: z.int().min(1).max(10_000),
  stop_after_set_aside: z.int().min(0).max(1_000),
  platform_weights: refined(
    z.strictObject({ hexmount: weight, sixk: weight }),
    ({ hexmount, sixk }) => hexmount + sixk > 0,
    { error: 'One weight has to be above 0' },
  ),
  commission_rate: z.string().regex(/^(0(\.\d{1,4})?|1)$/, 'Invalid input'),
  invoice_due_days: z.int().min(1).max(365),
  bot_community_percentage: z.string().regex(/^(\d{1,2}(\.\d{1,2})?|100)$/, 'Invalid input'),
  egress_addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(50),
  vip_tiers: vipTiers,
  community_plans: z.strictObject({ monthly: price, yearly: price }),
} as const satisfies { [N in SettingName]: z.ZodType<PlatformSettings[N]> };

const name = z.enum(SETTING_NAMES);
const change = z
  .object({
    id,
    name,
    previous: z.unknown(),
    value: z.unknown(),
    state: z.enum(['waiting', 'applied', 'declined']),
    requested_at: timestamp,
    requested_by: z.string(),
    decided_at: timestamp.nullable(),
    /** Null in an applied change: it needed no second person. */
    decided_by: z.string().nullable(),
  })
  .meta({ id: 'PlatformSettingChange' });

const waiting = change.extend({
  requested_by_id: z.string(),
  /** Why the caller may not approve it; null: it may. */
  refusal: z.string().nullable(),
});

const setting = z
  .object({
    name,
    value: z.unknown(),
    default: z.unknown(),
    /** Whether the server's environment gives the default. */
    is_from_environment: z.boolean(),
    is_locked: z.boolean(),
    /** The loosest value that the machine of the worker, or of the API, allows; null: any. */
    bound: z.union([z.string(), z.number()]).nullable(),
    /** 0: it has its default. */
    version: z.int(),
    changed_at: timestamp.nullable(),
    changed_by: z.string().nullable(),
    waiting: waiting.nullable(),
  })
  .meta({ id: 'PlatformSetting' });

const recipient = z.object({
  recipient_type: z.enum(['hexmount', 'sixk', 'tip']),
  /** Null: its shares wait. */
  address: z.string().nullable(),
  /** USDT of its shares that are not ordered yet. */
  pending: decimalString,
  changed_at: timestamp.nullable(),
  /** Null: it is payable now, or has no address. */
  payable_from: timestamp.nullable(),
  /** For releasing a held address. */
  change_id: id.nullable(),
  /** Whether another super admin has to release it. */
  awaits_release: z.boolean(),
  can_release: z.boolean(),
  version: seenVersion.describe('of the address'),
});

export const platformSettingCalls = entries({
  'GET /api/platform-settings': {
    summary: 'The settings of the platform, with their defaults and the changes that wait',
    permission: 'super',
    recentAuth: false,
    answer: ok(z.array(setting)),
    errors: [],
  },
  'PUT /api/platform-settings': {
    summary: 'Changes a setting, or asks another super admin to, when it loosens a protection of money',
    permission: 'super',
    recentAuth: true,
    body: z.strictObject({
      set: refined(z.strictObject(settingValues).partial(), (values) => Object.keys(values).length === 1, {
        error: 'Name one setting',
      }).describe('the setting, by name, with its new value'),
      version: rowVersion.describe('the version that the author saw'),
    }),
    answer: ok(setting),
    errors: [
      'changed_meanwhile',
      'text_refused',
      'setting_locked',
      'setting_above_bound',
      'setting_waiting',
      'approvers_missing',
    ],
    perMinute: 60,
    idempotent: true,
  },
  'POST /api/platform-settings/changes/{id}/approve': {
    summary: 'Approves a change that waits; not for the person who asked for it',
    permission: 'super',
    recentAuth: true,
    params: byId,
    answer: ok(setting),
    errors: [
      'not_found',
      'setting_changed',
      'setting_locked',
      'setting_above_bound',
      'own_approval',
      'requester_inactive',
      'approvers_missing',
    ],
  },
  'POST /api/platform-settings/changes/{id}/decline': {
    summary:
      'Declines or withdraws a change that waits. It can be requested again, so this needs no recent authentication',
    permission: 'super',
    recentAuth: false,
    params: byId,
    answer: ok(setting),
    errors: ['not_found'],
  },
  'GET /api/platform-settings/changes': {
    summary: 'Every change of a setting, newest first',
    permission: 'super',
    recentAuth: false,
    query: z.strictObject({
      name: name.optional(),
      limit: queryInteger(1, 100).optional(),
      offset: queryInteger(0, 100_000).optional(),
    }),
    answer: page(change, {
      total: z.int(),
    }),
    errors: [],
  },
  'GET /api/platform-settings/egress-addresses': {
    summary: 'The addresses from which exchanges see our requests, for the whitelists of keys',
    permission: 'staff',
    capability: 'directory:read',
    recentAuth: false,
    answer: ok(z.array(z.string())),
    errors: [],
  },
  'GET /api/platform-settings/recipients': {
    summary: "The platform's own recipients, their addresses, and what waits for them",
    permission: 'super',
    recentAuth: false,
    answer: ok(z.array(recipient)),
    errors: [],
  },
  'PUT /api/platform-settings/recipients/{type}': {
    summary: 'Changes the address of a recipient of the platform. It is held like any payout address',
    permission: 'super',
    recentAuth: true,
    params: z.strictObject({ type: recipient.shape.recipient_type }),
    body: z.strictObject({
      address: walletAddress.nullable().describe('an empty value clears it'),
      version: seenVersion.describe('the version that the author saw'),
    }),
    answer: ok(z.array(recipient)),
    errors: ['not_found', 'changed_meanwhile'],
    idempotent: true,
  },
});
