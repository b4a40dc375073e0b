import { formatCount, shownPercentage } from '@copydesk/domain/money';
import type { PlatformSettings, SettingName } from '@copydesk/domain/settings';
import { flooredUsd } from '../../lib/format/floored-amount.ts';
import { formatUsdt } from '../../lib/format/payout-words.ts';
import { splitWords } from '../../lib/format/split-words.ts';
import type { Setting } from './settings-queries.ts';

interface SettingWords {
  label: string;
  text: string;
}

export const SETTING_WORDS: Record<SettingName, SettingWords> = {
  approval_above_usdt: {
    label: 'Approval limit',
    text: 'Another super admin has to approve orders above this amount, added up over 24 hours for one community or one person.',
  },
  write_off_above_usdt: {
    label: 'Write-off limit',
    text: 'Another super admin has to approve what one person writes off above this amount within 24 hours: unpaid invoices marked as paid, archived or cancelled, and coupons on open orders.',
  },
  tip_up_to_usdt: {
    label: 'Largest tip',
    text: 'What a trader pays beyond all that it owes is a tip up to this amount. A larger rest stays its credit, for its next invoices.',
  },
  approver_min_hours: {
    label: 'Age of approvers',
    text: 'How long a person has to be a super admin before approving.',
  },
  payout_max_per_transaction: {
    label: 'Largest payout',
    text: 'The most that one payout may pay. A larger one is refused, unless its order allows it once, with the other super admins.',
  },
  payout_max_per_day: {
    label: 'Payouts in 24 hours',
    text: 'To all recipients together. Payouts above the limit wait until earlier ones are a day old.',
  },
  payout_address_hold_hours: {
    label: 'Hold of changed addresses',
    text: 'How long a changed payout address waits, besides its release by another person.',
  },
  chain_max_fee_gwei: {
    label: 'Highest gas price',
    text: 'Transfers wait while gas costs more.',
  },
  stop_after_set_aside: {
    label: 'Stop after set-aside transfers',
    text: 'All payments stop when a worker has set this many transfers aside within an hour because nothing allows them.',
  },
  platform_weights: {
    label: "The platform's part",
    text: 'How the rest of an invoice is shared between Hexmount and Sixk. Applies to new invoices.',
  },
  commission_rate: {
    label: 'Commission of new communities',
    text: 'The part of profits that is invoiced. A community can have a rate of its own.',
  },
  invoice_due_days: {
    label: 'Due date of invoices',
    text: 'Days from the creation of an invoice until it is overdue. Applies to new invoices.',
  },
  bot_community_percentage: {
    label: 'Sales of bots',
    text: "The community's part of what its bot sells; the rest is the platform's. Applies to new orders.",
  },
  egress_addresses: {
    label: 'Our addresses at exchanges',
    text: 'The IP addresses that traders allow when they create a key for us.',
  },
  community_plans: {
    label: 'Plans of communities',
    text: 'Prices on the public page /sign-in#/pricing.',
  },
  vip_tiers: { label: 'VIP levels', text: 'The AUM from which a trader has a level, and its benefits.' },
};

/** The settings by section, in the order of the screen. */
export const SECTIONS: readonly { title: string; names: readonly SettingName[] }[] = [
  {
    title: 'Payouts',
    names: [
      'approval_above_usdt',
      'approver_min_hours',
      'payout_max_per_transaction',
      'payout_max_per_day',
      'payout_address_hold_hours',
      'chain_max_fee_gwei',
      'stop_after_set_aside',
    ],
  },
  {
    title: 'Invoices',
    names: [
      'write_off_above_usdt',
      'tip_up_to_usdt',
      'commission_rate',
      'invoice_due_days',
      'platform_weights',
      'bot_community_percentage',
    ],
  },
  { title: 'Traders', names: ['vip_tiers', 'egress_addresses'] },
  { title: 'Communities', names: ['community_plans'] },
];

const usd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const price = (amount: string) => usd.format(amount as `${number}`);
const hours = (value: number) => `${formatCount(value)} ${value === 1 ? 'hour' : 'hours'}`;
const wholeUsdt = (value: number | null) => (value === null ? 'No limit' : `${formatCount(value)} USDT`);

const TEXTS: { [Name in SettingName]: (value: PlatformSettings[Name]) => string } = {
  approval_above_usdt: (value) => (value === null ? 'Never needed' : `${formatUsdt(value)} USDT`),
  write_off_above_usdt: (value) => (value === null ? 'Never needed' : `${formatUsdt(value)} USDT`),
  tip_up_to_usdt: (value) => `${formatUsdt(value)} USDT`,
  approver_min_hours: hours,
  payout_max_per_transaction: wholeUsdt,
  payout_max_per_day: wholeUsdt,
  payout_address_hold_hours: (value) => (value === 0 ? 'No hold' : hours(value)),
  chain_max_fee_gwei: (value) => `${formatCount(value)} gwei`,
  stop_after_set_aside: (value) =>
    value === 0 ? 'Never' : `${formatCount(value)} ${value === 1 ? 'transfer' : 'transfers'}`,
  platform_weights: ({ hexmount, sixk }) => `Hexmount ${hexmount} : Sixk ${sixk}`,
  commission_rate: (value) => `${shownPercentage(value)}%`,
  invoice_due_days: (value) => `${value} ${value === 1 ? 'day' : 'days'}`,
  bot_community_percentage: splitWords,
  egress_addresses: (value) => (value.length === 0 ? 'None' : value.join(', ')),
  community_plans: ({ monthly, yearly }) =>
    [monthly && `${price(monthly)} a month`, yearly && `${price(yearly)} a year`]
      .filter(Boolean)
      .join(', ') || 'Not offered',
  vip_tiers: (value) => value.map(tierWords).join(', '),
};

const tierWords = ({ name, min_aum, benefits }: PlatformSettings['vip_tiers'][number]) =>
  `${name} from ${flooredUsd(min_aum)}${benefits ? ` (${benefits})` : ''}`;

/** A value as text. Stored values come from the API, which has validated them. */
export function settingText(name: SettingName, value: unknown): string {
  return (TEXTS[name] as (value: unknown) => string)(value);
}

/** The loosest value that the machine of the worker allows; null: any. */
export const boundText = ({ name, bound }: Pick<Setting, 'name' | 'bound'>): string | null =>
  bound === null ? null : `At most ${settingText(name, bound)}: set on the worker's machine`;
