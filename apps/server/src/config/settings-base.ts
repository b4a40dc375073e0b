import { SETTING_DEFAULTS, SETTING_NAMES, type SettingName } from '@copydesk/domain/settings';
import type { SettingsBase } from '../core/settings/live-settings.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { ConfigVariable, Environment } from './environment.ts';
import { TELEGRAM_BOT } from './variables/invoices.ts';

/** The variables that set the defaults of platform settings. */
const SETTING_VARIABLES: Partial<Record<SettingName, readonly ConfigVariable[]>> = {
  approval_above_usdt: ['APPROVAL_ABOVE_USDT'],
  approver_min_hours: ['APPROVER_MIN_HOURS'],
  payout_max_per_transaction: ['PAYOUT_MAX_PER_TRANSACTION'],
  payout_max_per_day: ['PAYOUT_MAX_PER_DAY'],
  payout_address_hold_hours: ['PAYOUT_ADDRESS_HOLD_HOURS'],
  chain_max_fee_gwei: ['CHAIN_MAX_FEE_GWEI'],
  platform_weights: ['HEXMOUNT_WEIGHT', 'SIXK_WEIGHT'],
  commission_rate: ['COMMISSION_RATE'],
  invoice_due_days: ['INVOICE_DUE_DAYS'],
  egress_addresses: ['EGRESS_ADDRESSES'],
  community_plans: ['PLAN_MONTHLY_USD', 'PLAN_YEARLY_USD'],
  bot_community_percentage: ['BOT_COMMUNITY_PERCENTAGE'],
};

/** The values of settings that the environment gives, and the ones that it locks. */
export function settingsBase(e: Environment, env: Record<string, string | undefined>): SettingsBase {
  if (e.HEXMOUNT_WEIGHT + e.SIXK_WEIGHT === 0)
    throw new StartError('The configuration is wrong:\n  SIXK_WEIGHT: one of the weights must be above 0');
  return {
    defaults: {
      ...SETTING_DEFAULTS,
      approval_above_usdt: e.APPROVAL_ABOVE_USDT || null,
      approver_min_hours: e.APPROVER_MIN_HOURS,
      payout_max_per_transaction: e.PAYOUT_MAX_PER_TRANSACTION ?? null,
      payout_max_per_day: e.PAYOUT_MAX_PER_DAY ?? null,
      payout_address_hold_hours: e.PAYOUT_ADDRESS_HOLD_HOURS,
      chain_max_fee_gwei: e.CHAIN_MAX_FEE_GWEI,
      platform_weights: { hexmount: e.HEXMOUNT_WEIGHT, sixk: e.SIXK_WEIGHT },
      commission_rate: e.COMMISSION_RATE,
      invoice_due_days: e.INVOICE_DUE_DAYS,
      egress_addresses: e.EGRESS_ADDRESSES,
      bot_community_percentage: e.BOT_COMMUNITY_PERCENTAGE,
      community_plans: { monthly: e.PLAN_MONTHLY_USD ?? null, yearly: e.PLAN_YEARLY_USD ?? null },
    },
    given: SETTING_NAMES.filter((name) =>
      SETTING_VARIABLES[name]?.some((variable) => env[variable] !== undefined),
    ),
    locked: e.LOCKED_SETTINGS.filter((name) => name !== TELEGRAM_BOT),
  };
}
