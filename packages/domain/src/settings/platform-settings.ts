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

/** What the run at its weekly time does: it invoices and notifies, or shows what it would. */
export const SCHEDULED_INVOICING = ['send', 'draft'] as const;
export type ScheduledInvoicing = (typeof SCHEDULED_INVOICING)[number];

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

/** One setting: what holds until a super admin sets it, and whose decision a change is. */
interface Rule<T> {
  default: T;
  /** Whether a change lets more money out, faster, or elsewhere than before, or stops money that is owed. */
  needsSecond: Change<T>;
  /**
   * A limit of which the value of the environment is a bound: what the console sets may be tighter, never
   * looser. The worker has its own environment, so a person who changes settings cannot lift its bounds.
   */
  isBounded?: true;
}

/** A rule with the type of its values, where the default alone would be too narrow. */
const of = <T>(rule: Rule<T>): Rule<T> => rule;

/** What super admins may set for the whole platform. Amounts are USDT, as decimals. */
const RULES = {
  /** Orders of 24 hours above it need a second super admin; null: never. */
  approval_above_usdt: of<string | null>({ default: null, needsSecond: isHigherLimit, isBounded: true }),
  /** What one person writes off within 24 hours above it needs a second super admin; null: never. */
  write_off_above_usdt: of<string | null>({ default: '1000', needsSecond: isHigherLimit }),
  /** What a trader pays beyond all that it owes is a tip up to this, which is paid out; its credit above it. */
  tip_up_to_usdt: of<string>({ default: '1', needsSecond: isHigherLimit }),
  /**
   * A trader whose new invoices add up to less is not invoiced; they are carried to the next run. Raising it
   * stops invoices.
   */
  minimum_invoice_usdt: of<string>({
    default: BUSINESS_DEFAULTS.minimumInvoice,
    needsSecond: isHigherLimit,
  }),
  /** What becomes of the run at its weekly time. A draft invoices no trader until a person sends it. */
  scheduled_invoicing: of<ScheduledInvoicing>({
    default: 'send',
    needsSecond: (from, to) => to === 'draft' && from !== to,
  }),
  /**
   * A smaller amount stays pending when several communities are paid together. Raising it keeps money back.
   */
  minimum_payout_usdt: of<string>({
    default: BUSINESS_DEFAULTS.minimumPayout,
    needsSecond: isHigherLimit,
  }),
  /** Hours as a super admin before approving payouts. */
  approver_min_hours: of<number>({ default: APPROVER_MIN_HOURS, needsSecond: isLowerOrLong }),
  /** To one recipient at once; null: no limit. */
  payout_max_per_transaction: of<number | null>({
    default: null,
    needsSecond: isHigherLimit,
    isBounded: true,
  }),
  /** To all recipients within 24 hours; null: no limit. */
  payout_max_per_day: of<number | null>({ default: null, needsSecond: isHigherLimit, isBounded: true }),
  /** Hours for which a changed payout address is held. */
  payout_address_hold_hours: of<number>({ default: 24, needsSecond: isLowerOrLong }),
  /** Highest price of gas at which transactions are signed. */
  chain_max_fee_gwei: of<number>({ default: 20, needsSecond: isHigherLimit }),
  /** All payments stop when a worker has set this many transfers aside within an hour; 0: never. */
  stop_after_set_aside: of<number>({ default: 5, needsSecond: isRarer }),
  /** How the platform's part of invoices is shared among its own recipients. */
  platform_weights: of<{ hexmount: number; sixk: number }>({
    default: { hexmount: 1, sixk: 1 },
    needsSecond: always,
  }),
  /** Commission of new communities, as a fraction. */
  commission_rate: of<string>({ default: BUSINESS_DEFAULTS.commissionRate, needsSecond: never }),
  /** Days from an invoice's creation to its due date. */
  invoice_due_days: of<number>({ default: BUSINESS_DEFAULTS.invoiceDueDays, needsSecond: never }),
  /**
   * Percentage of a sale by a community's bot for the community; the rest is the platform's. Either way a change gives
   * money to others than before.
   */
  bot_community_percentage: of<string>({
    default: BUSINESS_DEFAULTS.botCommunityPercentage,
    needsSecond: always,
  }),
  /**
   * Addresses from which exchanges see our requests. Traders allow these for their keys, so a false one could
   * use a stolen key.
   */
  egress_addresses: of<readonly string[]>({
    default: [],
    needsSecond: (from, to) => to.some((address) => !from.includes(address)),
  }),
  vip_tiers: of<readonly VipTierSetting[]>({
    default: [
      { name: 'Bronze', min_aum: '10000' },
      { name: 'Silver', min_aum: '50000' },
      { name: 'Gold', min_aum: '100000' },
      { name: 'Platinum', min_aum: '250000' },
      { name: 'Diamond', min_aum: '1000000' },
    ],
    needsSecond: never,
  }),
  /** Price of a community's subscription, USD; null: the plan is not offered. */
  community_plans: of<{ monthly: string | null; yearly: string | null }>({
    default: { monthly: null, yearly: null },
    needsSecond: never,
  }),
};

export type SettingName = keyof typeof RULES;
export type PlatformSettings = { [Name in SettingName]: (typeof RULES)[Name]['default'] };

export const SETTING_NAMES = Object.keys(RULES) as SettingName[];
export const SETTING_DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, RULES[name].default]),
) as PlatformSettings;
/** The settings that have a bound in the environment: see `Rule`. */
export const BOUNDED_SETTINGS = SETTING_NAMES.filter((name) => RULES[name].isBounded) as BoundedSetting[];
type BoundedSetting = 'approval_above_usdt' | 'payout_max_per_transaction' | 'payout_max_per_day';

/** What a worker holds itself to; null: it has no such bound. */
export type WorkerBounds = Pick<PlatformSettings, BoundedSetting>;

/** Whether a value is looser than the bound that the environment gives. */
export function exceedsBound<Name extends SettingName>(
  name: Name,
  bound: PlatformSettings[Name],
  value: PlatformSettings[Name],
): boolean {
  return (
    RULES[name].isBounded === true &&
    isHigherLimit(bound as string | number | null, value as string | number | null)
  );
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
  return (RULES[name].needsSecond as Change<PlatformSettings[Name]>)(from, to);
}
