import { shownPercentage as exactPercentage } from '@copydesk/domain/money';
import * as domain from '@copydesk/domain/trading';
import { inOwnSigns, numberFormat } from './numbers.ts';

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
