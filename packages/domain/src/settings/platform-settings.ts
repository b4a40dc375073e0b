import { APPROVER_MIN_HOURS } from '../access/four-eyes.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';
import { BUSINESS_DEFAULTS } from './business-defaults.ts';

/** A level of traders by AUM. Levels are counted from 1, in order. */
export interface VipTierSetting {
  name: string;
  /** USD from which a trader has this level, as a decimal. */
  min_aum: string;
  /** What the platform offers at this level, in one line. */
  benefits?: string | undefined;
}

/** What super admins may set for the whole platform. Amounts are USDT, as decimals. */
export interface PlatformSettings {
  /** Orders of 24 hours above it need a second super admin; null: never. */
  approval_above_usdt: string | null;
  /** What one person writes off within 24 hours above it needs a second super admin; null: never. */
  write_off_above_usdt: string | null;
  /** What a trader pays beyond all that it owes is a tip up to this, and its credit above it. */
  tip_up_to_usdt: string;
  /** Hours as a super admin before approving payouts. */
  approver_min_hours: number;
  /** To one recipient at once; null: no limit. */
  payout_max_per_transaction: number | null;
  /** To all recipients within 24 hours; null: no limit. */
  payout_max_per_day: number | null;
  /** Hours for which a changed payout address is held. */
  payout_address_hold_hours: number;
  /** Highest price of gas at which transactions are signed. */
  chain_max_fee_gwei: number;
  /** All payments stop when a worker has set this many transfers aside within an hour; 0: never. */
  stop_after_set_aside: number;
  /** How the platform's part of invoices is shared among its own recipients. */
  platform_weights: { hexmount: number; sixk: number };
  /** Commission of new communities, as a fraction. */
  commission_rate: string;
  /** Days from an invoice's creation to its due date. */
  invoice_due_days: number;
  /** Percentage of a sale by a community's bot for the community; the rest is the platform's. */
  bot_community_percentage: string;
  /** Addresses from which exchanges see our requests: traders allow them for their keys. */
  egress_addresses: readonly string[];
  vip_tiers: readonly VipTierSetting[];
  /** Price of a community's subscription, USD; null: the plan is not offered. */
  community_plans: { monthly: string | null; yearly: string | null };
}
export type SettingName = keyof PlatformSettings;

export const SETTING_DEFAULTS: PlatformSettings = {
  approval_above_usdt: null,
  write_off_above_usdt: '1000',
  tip_up_to_usdt: '1',
  approver_min_hours: APPROVER_MIN_HOURS,
  payout_max_per_transaction: null,
  payout_max_per_day: null,
  payout_address_hold_hours: 24,
  chain_max_fee_gwei: 20,
  stop_after_set_aside: 5,
  platform_weights: { hexmount: 1, sixk: 1 },
  commission_rate: BUSINESS_DEFAULTS.commissionRate,
  invoice_due_days: BUSINESS_DEFAULTS.invoiceDueDays,
  bot_community_percentage: BUSINESS_DEFAULTS.botCommunityPercentage,
  egress_addresses: [],
  vip_tiers: [
    { name: 'Bronze', min_aum: '10000' },
    { name: 'Silver', min_aum: '50000' },
    { name: 'Gold', min_aum: '100000' },
    { name: 'Platinum', min_aum: '250000' },
    { name: 'Diamond', min_aum: '1000000' },
  ],
  community_plans: { monthly: null, yearly: null },
};
export const SETTING_NAMES = Object.keys(SETTING_DEFAULTS) as SettingName[];

type Change<T> = (from: T, to: T) => boolean;

/** Null is the loosest limit. */
const isHigherLimit: Change<string | number | null> = (from, to) =>
  from !== null && (to === null || new ExactDecimal(to).gt(from));
/** Beyond three days, waiting protects less than it stops: payouts that are owed, and every approval. */
const THREE_DAYS_HOURS = 72;
const isLowerOrLong: Change<number> = (from, to) => to < from || (to > from && to > THREE_DAYS_HOURS);
const always = () => true;
const never = () => false;

/** Zero is the loosest. */
const isRarer: Change<number> = (from, to) => from !== 0 && (to === 0 || to > from);

/** Whether a change lets more money out, faster, or elsewhere than before, or stops money that is owed. */
const NEEDS_SECOND: { [Name in SettingName]: Change<PlatformSettings[Name]> } = {
  approval_above_usdt: isHigherLimit,
  write_off_above_usdt: isHigherLimit,
  // Tips are paid out; credit stays the trader's.
  tip_up_to_usdt: isHigherLimit,
  approver_min_hours: isLowerOrLong,
  payout_max_per_transaction: isHigherLimit,
  payout_max_per_day: isHigherLimit,
  payout_address_hold_hours: isLowerOrLong,
  chain_max_fee_gwei: isHigherLimit,
  stop_after_set_aside: isRarer,
  platform_weights: always,
  commission_rate: never,
  invoice_due_days: never,
  // Either way money goes to others than before.
  bot_community_percentage: always,
  // An address that traders allow for their keys can use a stolen key.
  egress_addresses: (from, to) => to.some((address) => !from.includes(address)),
  vip_tiers: never,
  community_plans: never,
};

/**
 * Limits of which the value of the environment is a bound: what the console sets may be tighter, never looser. The worker
 * has its own environment, so whoever writes settings cannot lift what it holds itself to.
 */
export const BOUNDED_SETTINGS = [
  'approval_above_usdt',
  'payout_max_per_transaction',
  'payout_max_per_day',
] as const satisfies readonly SettingName[];

/** What a worker holds itself to; null: it has no such bound. */
export type WorkerBounds = Pick<PlatformSettings, (typeof BOUNDED_SETTINGS)[number]>;

/** Whether a value is looser than the bound that the environment gives. */
export function exceedsBound<Name extends SettingName>(
  name: Name,
  bound: PlatformSettings[Name],
  value: PlatformSettings[Name],
): boolean {
  const isBounded = (BOUNDED_SETTINGS as readonly SettingName[]).includes(name);
  return isBounded && isHigherLimit(bound as string | number | null, value as string | number | null);
}

/**
 * Whether a second super admin has to approve a change: when it loosens what protects money, or delays payouts or
 * approvers by more than three days. Other tightening has to be possible at once, by one person.
 */
export function needsSecondPerson<Name extends SettingName>(
  name: Name,
  from: PlatformSettings[Name],
  to: PlatformSettings[Name],
): boolean {
  return NEEDS_SECOND[name](from, to);
}
