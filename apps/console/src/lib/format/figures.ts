import { shownPercentage as exactPercentage, sumDecimals } from '@copydesk/domain/money';
import * as domain from '@copydesk/domain/trading';
import { unreadWords } from './aum-texts.ts';
import { formatWholeUsd, inOwnSigns, numberFormat } from './numbers.ts';

// Formats that the first screen does not need, in the signs that the person chose.
/** A number in the person's signs, before and after its decimal sign; without decimals, the sign is empty as well. */
export function splitDecimals(text: string): [whole: string, sign: string, decimals: string] {
  const sign = inOwnSigns('.');
  const [whole = '', decimals] = text.split(sign);
  return decimals === undefined ? [whole, '', ''] : [whole, sign, decimals];
}

const own =
  (format: (amount: string | null | undefined) => string) =>
  (amount: string | null | undefined): string =>
    inOwnSigns(format(amount));

export const formatPrice = own(domain.formatPrice);
export const formatPnl = own(domain.formatPnl);
export const formatSignedPercent = own(domain.formatSignedPercent);
export const formatLeverage = own(domain.formatLeverage);
export const formatSize = own(domain.formatSize);
export const formatShortPnl = own(domain.formatShortPnl);

/** The side of a position, and the direction of the price in which it gains. */
export const sideWords = (side: string) =>
  domain.readSide(side) === 'long' ? { isUp: true, word: 'Long' } : { isUp: false, word: 'Short' };

/** A fraction as a percentage, exactly and without trailing zeros. */
export const shownPercentage = (fraction: number | string) => inOwnSigns(exactPercentage(fraction));

// Balances are never rounded up: the books do not hold the amount that a screen would show. A decimal string is
// formatted directly, never through a float.
const DOLLARS = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const;

/** A balance in whole dollars, as pool views show it (super-admin spec, section 9). */
export const flooredUsd = numberFormat({ ...DOLLARS, roundingMode: 'floor' });

/** What is still missing, in whole dollars: that much is enough. */
export const raisedUsd = numberFormat({ ...DOLLARS, roundingMode: 'ceil' });

/** A balance with up to 2 decimals, as the communities table shows it (super-admin spec, section 9). */
export const flooredTo2 = numberFormat({ maximumFractionDigits: 2, roundingMode: 'floor' });

/** A percentage with the decimals that it has: `12.5%`. */
export const percentWords = (percentage: number | string) => `${inOwnSigns(String(percentage))}%`;

/** How the sale of a bot is shared, by the community's percentage. */
export function splitWords(communityPercentage: string): string {
  const rest = Math.round(10_000 - Number(communityPercentage) * 100) / 100;
  return `Community ${percentWords(communityPercentage)}, platform ${percentWords(rest)}`;
}

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The month of a day: `November 2026`. */
export const monthWords = (day: string) => month.format(new Date(day));

export interface AumSums {
  /** USD, decimal strings. */
  total_aum: string;
  pool_capital: string;
  /** Accounts that the sum leaves out, because they were not read yet. */
  unread_accounts?: number;
}

/** What an AUM is made of, and what it leaves out. */
export function aumWords({ total_aum, pool_capital, unread_accounts = 0 }: AumSums): string {
  const accounts = sumDecimals([total_aum, `-${pool_capital}`]);
  return [
    `Exchange accounts, each as last read: ${formatWholeUsd(accounts)}.`,
    `Pool capital: ${formatWholeUsd(pool_capital)}.`,
    unread_accounts > 0 && `${unreadWords(unread_accounts)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The sums of several communities together. */
export const addSums = (sums: readonly Partial<AumSums>[]): Required<AumSums> => ({
  total_aum: sumDecimals(sums.map(({ total_aum = '0' }) => total_aum)),
  pool_capital: sumDecimals(sums.map(({ pool_capital = '0' }) => pool_capital)),
  unread_accounts: sums.reduce((sum, { unread_accounts = 0 }) => sum + unread_accounts, 0),
});
