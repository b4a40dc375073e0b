import {
  type PlatformSettings,
  SETTING_DEFAULTS,
  SETTING_NAMES,
  type SettingName,
} from '@copydesk/domain/settings';
import type { SettingsBase } from '../core/settings/live-settings.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { ConfigVariable, Environment } from './environment.ts';

/** The settings whose defaults variables give, with their value. */
const FROM_ENVIRONMENT: {
  [Name in SettingName]?: {
    variables: readonly ConfigVariable[];
    value: (e: Environment) => PlatformSettings[Name];
  };
} = {
  approval_above_usdt: {
    variables: ['APPROVAL_ABOVE_USDT'],
    value: (e) => e.APPROVAL_ABOVE_USDT || null,
  },
  approver_min_hours: { variables: ['APPROVER_MIN_HOURS'], value: (e) => e.APPROVER_MIN_HOURS },
  payout_max_per_transaction: {
    variables: ['PAYOUT_MAX_PER_TRANSACTION'],
    value: (e) => e.PAYOUT_MAX_PER_TRANSACTION ?? null,
  },
  payout_max_per_day: { variables: ['PAYOUT_MAX_PER_DAY'], value: (e) => e.PAYOUT_MAX_PER_DAY ?? null },
  payout_address_hold_hours: {
    variables: ['PAYOUT_ADDRESS_HOLD_HOURS'],
    value: (e) => e.PAYOUT_ADDRESS_HOLD_HOURS,
  },
  chain_max_fee_gwei: { variables: ['CHAIN_MAX_FEE_GWEI'], value: (e) => e.CHAIN_MAX_FEE_GWEI },
  platform_weights: {
    variables: ['HEXMOUNT_WEIGHT', 'SIXK_WEIGHT'],
    value: (e) => ({ hexmount: e.HEXMOUNT_WEIGHT, sixk: e.SIXK_WEIGHT }),
  },
  commission_rate: { variables: ['COMMISSION_RATE'], value: (e) => e.COMMISSION_RATE },
  invoice_due_days: { variables: ['INVOICE_DUE_DAYS'], value: (e) => e.INVOICE_DUE_DAYS },
  egress_addresses: { variables: ['EGRESS_ADDRESSES'], value: (e) => e.EGRESS_ADDRESSES },
  community_plans: {
    variables: ['PLAN_MONTHLY_USD', 'PLAN_YEARLY_USD'],
    value: (e) => ({ monthly: e.PLAN_MONTHLY_USD ?? null, yearly: e.PLAN_YEARLY_USD ?? null }),
  },
  bot_community_percentage: {
    variables: ['BOT_COMMUNITY_PERCENTAGE'],
    value: (e) => e.BOT_COMMUNITY_PERCENTAGE,
  },
};

/** The values of settings that the environment gives, and the ones that it locks. */
export function settingsBase(e: Environment, env: Record<string, string | undefined>): SettingsBase {
  if (e.HEXMOUNT_WEIGHT + e.SIXK_WEIGHT === 0)
    throw new StartError('The configuration is wrong:\n  SIXK_WEIGHT: one of the weights must be above 0');
  const fromEnvironment = Object.entries(FROM_ENVIRONMENT).map(([name, { value }]) => [name, value(e)]);
  return {
    defaults: { ...SETTING_DEFAULTS, ...Object.fromEntries(fromEnvironment) },
    given: SETTING_NAMES.filter((name) =>
      FROM_ENVIRONMENT[name]?.variables.some((variable) => env[variable] !== undefined),
    ),
    locked: e.LOCKED_SETTINGS,
  };
}
