import { largestCommunityPercentage } from '@copydesk/domain/invoices';
import { percentWords } from '../../../lib/format/figures.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { CommunityWithSettings } from '../communities-queries.ts';

export const SETTINGS = ['split_percentage', 'minimum_balance', 'referrer_wallet_address'] as const;
export type Setting = (typeof SETTINGS)[number];

export const SPLIT_TIP = 'This percentage is of the full amount invoiced from traders.';

export const SETTING_MEANS: Record<Setting, string> = {
  split_percentage: SPLIT_TIP,
  minimum_balance:
    'The balance that a trader of this community needs. Traders below it are marked; nothing else happens to them.',
  referrer_wallet_address:
    'Where 1% of every invoice of this community goes. Leave it empty to remove the referrer.',
};

export const SETTING_TITLES: Record<Setting, string> = {
  split_percentage: 'Split Percentage',
  minimum_balance: 'Minimum Balance',
  referrer_wallet_address: 'Referrer Wallet Address',
};

/** The title of the dialog that changes it. */
export const editTitle = (setting: Setting) => `Edit ${SETTING_TITLES[setting]}`;

/** The error in the typed value; null when it can be sent. */
export function settingError(
  setting: Setting,
  typed: string,
  community: Pick<CommunityWithSettings, 'providers' | 'referrer_wallet_address'>,
): string | null {
  const text = typed.trim();
  if (setting === 'referrer_wallet_address') return null;
  if (text === '') return 'Required';
  const value = Number(text);
  if (setting === 'minimum_balance')
    return /^\d+$/.test(text) && value >= 1 && value <= 1e12 ? null : 'Enter a whole number of at least 1';
  if (!/^\d+(\.\d+)?$/.test(text) || value > 100) return 'Enter a number from 0 to 100';
  if (/\.\d{3,}$/.test(text)) return 'Enter at most 2 decimals';
  return tooMuch(text, community);
}

function tooMuch(
  percentage: string,
  {
    providers,
    referrer_wallet_address,
  }: Pick<CommunityWithSettings, 'providers' | 'referrer_wallet_address'>,
): string | null {
  const [least] = providers
    .map(({ display_name, payment_split_percentage: share }) => ({
      display_name,
      most: Number(largestCommunityPercentage(String(share), referrer_wallet_address !== null)),
    }))
    .toSorted((a, b) => a.most - b.most);
  return least && Number(percentage) > least.most
    ? `At most ${percentWords(least.most)} is left beside ${least.display_name}`
    : null;
}

/** The typed value in the form of the request. */
export function settingValue(setting: Setting, typed: string): number | string | null {
  const text = typed.trim();
  if (setting === 'referrer_wallet_address') return text || null;
  return Number(text);
}

/** A setting as displayed: `7.5%`, `10,000 USDT`, an address. */
export function settingText(setting: string, value: string | number | null): string {
  if (value === null || value === '') return 'none';
  if (setting === 'split_percentage') return percentWords(Number(value));
  if (setting === 'minimum_balance') return `${formatCount(Number(value))} USDT`;
  return String(value);
}
