import type { PlatformSettings, ScheduledInvoicing, SettingName } from '@copydesk/domain/settings';
import { flooredUsd, shownPercentage, splitWords } from '../../lib/format/figures.ts';
import { formatCount, numberFormat } from '../../lib/format/numbers.ts';
import { formatUsdt } from '../../lib/format/usdt.ts';
import type { Setting } from './settings-queries.ts';

/** How a value is typed: with which bounds, and with which hint below its field. */
export type SettingField =
  | { kind: 'amount'; hint: string; isOptional?: true }
  | { kind: 'whole'; hint: string; from: number; to: number; isOptional?: true }
  | { kind: 'fraction' | 'percentage'; hint: string }
  | { kind: 'choice'; options: Readonly<Record<ScheduledInvoicing, string>> }
  | { kind: 'weights' | 'plans' | 'tiers' | 'addresses' };

const SECTION_TITLES = ['Payouts', 'Invoices', 'Traders', 'Communities'] as const;

/** All that the screen knows of one setting. */
interface SettingView<T> {
  section: (typeof SECTION_TITLES)[number];
  label: string;
  text: string;
  /** A value as text. */
  show: (value: T) => string;
  field: SettingField;
}

const usd = numberFormat({
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const price = (amount: string) => usd(amount);
const SCHEDULED: Readonly<Record<ScheduledInvoicing, string>> = {
  send: 'Invoices and notifies at once',
  draft: 'Prepares a draft',
};
const hours = (value: number) => `${formatCount(value)} ${value === 1 ? 'hour' : 'hours'}`;
const wholeUsdt = (value: number | null) => (value === null ? 'No limit' : `${formatCount(value)} USDT`);

const tierWords = ({ name, min_aum, benefits }: PlatformSettings['vip_tiers'][number]) =>
  `${name} from ${flooredUsd(min_aum)}${benefits ? ` (${benefits})` : ''}`;

/** Every setting, by section in the order of the screen. */
export const SETTINGS: { [Name in SettingName]: SettingView<PlatformSettings[Name]> } = {
  approval_above_usdt: {
    section: 'Payouts',
    label: 'Approval limit',
    text: 'Another super admin has to approve orders above this amount, added up over 24 hours for one community or one person.',
    show: (value) => (value === null ? 'Never needed' : `${formatUsdt(value)} USDT`),
    field: { kind: 'amount', hint: 'USDT', isOptional: true },
  },
  approver_min_hours: {
    section: 'Payouts',
    label: 'Age of approvers',
    text: 'How long a person has to be a super admin before approving.',
    show: hours,
    field: { kind: 'whole', hint: 'Hours', from: 0, to: 168 },
  },
  payout_max_per_transaction: {
    section: 'Payouts',
    label: 'Largest payout',
    text: 'The most that one payout may pay. A larger one is refused, unless its order allows it once, with the other super admins.',
    show: wholeUsdt,
    field: { kind: 'whole', hint: 'Whole USDT', from: 1, to: 1_000_000_000_000, isOptional: true },
  },
  payout_max_per_day: {
    section: 'Payouts',
    label: 'Payouts in 24 hours',
    text: 'To all recipients together. Payouts above the limit wait until earlier ones are a day old.',
    show: wholeUsdt,
    field: { kind: 'whole', hint: 'Whole USDT', from: 1, to: 1_000_000_000_000, isOptional: true },
  },
  payout_address_hold_hours: {
    section: 'Payouts',
    label: 'Hold of changed addresses',
    text: 'How long a changed payout address waits, besides its release by another person.',
    show: (value) => (value === 0 ? 'No hold' : hours(value)),
    field: { kind: 'whole', hint: 'Hours', from: 0, to: 8_760 },
  },
  chain_max_fee_gwei: {
    section: 'Payouts',
    label: 'Highest gas price',
    text: 'Transfers wait while gas costs more.',
    show: (value) => `${formatCount(value)} gwei`,
    field: { kind: 'whole', hint: 'Gwei', from: 1, to: 10_000 },
  },
  stop_after_set_aside: {
    section: 'Payouts',
    label: 'Stop after set-aside transfers',
    text: 'All payments stop when a worker has set this many transfers aside within an hour because nothing allows them.',
    show: (value) =>
      value === 0 ? 'Never' : `${formatCount(value)} ${value === 1 ? 'transfer' : 'transfers'}`,
    field: { kind: 'whole', hint: 'Transfers within an hour. 0: never', from: 0, to: 1_000 },
  },
  minimum_payout_usdt: {
    section: 'Payouts',
    label: 'Smallest payout',
    text: 'When several communities are paid together, what a recipient would get below this stays pending. Distributing one community pays what is selected.',
    show: (value) => (/^0*(\.0*)?$/.test(value) ? 'No minimum' : `${formatUsdt(value)} USDT`),
    field: { kind: 'amount', hint: 'USDT. 0: none' },
  },
  write_off_above_usdt: {
    section: 'Invoices',
    label: 'Write-off limit',
    text: 'Another super admin has to approve what one person writes off above this amount within 24 hours: unpaid invoices marked as paid, archived or cancelled, and coupons on open orders.',
    show: (value) => (value === null ? 'Never needed' : `${formatUsdt(value)} USDT`),
    field: { kind: 'amount', hint: 'USDT', isOptional: true },
  },
  tip_up_to_usdt: {
    section: 'Invoices',
    label: 'Largest tip',
    text: 'What a trader pays beyond all that it owes is a tip up to this amount. A larger rest stays its credit, for its next invoices.',
    show: (value) => `${formatUsdt(value)} USDT`,
    field: { kind: 'amount', hint: 'USDT' },
  },
  minimum_invoice_usdt: {
    section: 'Invoices',
    label: 'Smallest invoice',
    text: 'A trader whose new invoices are less than this together is not invoiced in a run. What it owes is carried to the next one.',
    show: (value) => (/^0*(\.0*)?$/.test(value) ? 'No minimum' : `${formatUsdt(value)} USDT`),
    field: { kind: 'amount', hint: 'USDT. 0: none' },
  },
  scheduled_invoicing: {
    section: 'Invoices',
    label: 'Weekly run',
    text: 'What the run at its weekly time does. A draft waits in Attention for a day; no trader is invoiced until a person sends it.',
    show: (value) => SCHEDULED[value],
    field: { kind: 'choice', options: SCHEDULED },
  },
  commission_rate: {
    section: 'Invoices',
    label: 'Commission of new communities',
    text: 'The part of profits that is invoiced. A community can have a rate of its own.',
    show: (value) => `${shownPercentage(value)}%`,
    field: { kind: 'fraction', hint: 'As a fraction: 0.5 is 50%' },
  },
  invoice_due_days: {
    section: 'Invoices',
    label: 'Due date of invoices',
    text: 'Days from the creation of an invoice until it is overdue. Applies to new invoices.',
    show: (value) => `${value} ${value === 1 ? 'day' : 'days'}`,
    field: { kind: 'whole', hint: 'Days', from: 1, to: 365 },
  },
  platform_weights: {
    section: 'Invoices',
    label: "The platform's part",
    text: 'How the rest of an invoice is shared between Hexmount and Sixk. Applies to new invoices.',
    show: ({ hexmount, sixk }) => `Hexmount ${hexmount} : Sixk ${sixk}`,
    field: { kind: 'weights' },
  },
  bot_community_percentage: {
    section: 'Invoices',
    label: 'Sales of bots',
    text: "The community's part of what its bot sells; the rest is the platform's. Applies to new orders.",
    show: splitWords,
    field: { kind: 'percentage', hint: "The community's percentage; the rest is the platform's" },
  },
  vip_tiers: {
    section: 'Traders',
    label: 'VIP levels',
    text: 'The AUM from which a trader has a level, and its benefits.',
    show: (value) => value.map(tierWords).join(', '),
    field: { kind: 'tiers' },
  },
  egress_addresses: {
    section: 'Traders',
    label: 'Our addresses at exchanges',
    text: 'The IP addresses that traders allow when they create a key for us.',
    show: (value) => (value.length === 0 ? 'None' : value.join(', ')),
    field: { kind: 'addresses' },
  },
  community_plans: {
    section: 'Communities',
    label: 'Plans of communities',
    text: 'Prices on the public page /sign-in#/pricing.',
    show: ({ monthly, yearly }) =>
      [monthly && `${price(monthly)} a month`, yearly && `${price(yearly)} a year`]
        .filter(Boolean)
        .join(', ') || 'Not offered',
    field: { kind: 'plans' },
  },
};

/** The settings by section, in the order of the screen. */
export const SECTIONS = SECTION_TITLES.map((title) => ({
  title,
  names: (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].section === title),
}));

/** A value as text. Stored values come from the API, which has validated them. */
export function settingText(name: SettingName, value: unknown): string {
  return (SETTINGS[name].show as (value: unknown) => string)(value);
}

/** The same for any name, also of a setting that this version does not know. */
export const settingTexts = {
  labelOf: (name: string): string | null => (isSetting(name) ? SETTINGS[name].label : null),
  textOf: (name: string, value: unknown): string =>
    isSetting(name) ? settingText(name, value) : JSON.stringify(value),
};
const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

/** The loosest value that the machine of the worker allows; null: any. */
export const boundText = ({ name, bound }: Pick<Setting, 'name' | 'bound'>): string | null =>
  bound === null ? null : `At most ${settingText(name, bound)}: set on the worker's machine`;

/** The anchor of a setting on its screen. */
export const settingAnchor = (name: SettingName) => `setting-${name}`;
