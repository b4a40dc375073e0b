import * as domain from '@copydesk/domain/money';
import type { NumberFormat } from '@copydesk/domain/settings';
import { personSettings } from '../person-settings.ts';

// Everything on screen with thousands or decimals comes from here or from position-texts.ts. The server writes messages
// and files, and never knows how a person reads.

/** The signs of thousands and of decimals. The space is narrow, and does not break a line. */
const SIGNS: Record<NumberFormat, readonly [thousands: string, decimals: string]> = {
  comma_point: [',', '.'],
  point_comma: ['.', ','],
  space_comma: ['\u202f', ','],
  apostrophe_point: ["'", '.'],
};

/** A number that is written as in en-US, with the signs that the person chose. */
export function inOwnSigns(text: string): string {
  const [thousands, decimals] = SIGNS[personSettings.get().numbers];
  return text.replace(/[,.]/g, (sign) => (sign === ',' ? thousands : decimals));
}

/** A number in the person's signs, before and after its decimal sign; without decimals, the sign is empty as well. */
export function splitDecimals(text: string): [whole: string, sign: string, decimals: string] {
  const [, sign] = SIGNS[personSettings.get().numbers];
  const [whole = '', decimals] = text.split(sign);
  return decimals === undefined ? [whole, '', ''] : [whole, sign, decimals];
}

/** A format of numbers, in the signs that the person chose by the time it is used. */
export function numberFormat(options?: Intl.NumberFormatOptions) {
  const format = new Intl.NumberFormat('en-US', options);
  return (amount: number | string) => inOwnSigns(format.format(amount as `${number}`));
}

type Amount = number | string | null | undefined;

/** AUM and invoice list amounts: USD without decimals. */
export const formatWholeUsd = (amount: Amount) => inOwnSigns(domain.formatWholeUsd(amount));

/** Money elsewhere: USD with 2 decimals. */
export const formatUsd = (amount: Amount) => inOwnSigns(domain.formatUsd(amount));

export const formatCount = (n: number) => inOwnSigns(domain.formatCount(n));

/** A fraction as a percentage, exactly and without trailing zeros. */
export const shownPercentage = (fraction: number | string) => inOwnSigns(domain.shownPercentage(fraction));

// Balances are never rounded up: the books do not hold the amount that a screen would show. A decimal string is
// formatted directly, never through a float.
const DOLLARS = { style: 'currency', currency: 'USD', maximumFractionDigits: 0 } as const;

/** A balance in whole dollars, as pool views show it (super-admin spec, section 9). */
export const flooredUsd = numberFormat({ ...DOLLARS, roundingMode: 'floor' });

/** What is still missing, in whole dollars: that much is enough. */
export const raisedUsd = numberFormat({ ...DOLLARS, roundingMode: 'ceil' });

/** A balance with up to 2 decimals, as the communities table shows it (super-admin spec, section 9). */
export const flooredTo2 = numberFormat({ maximumFractionDigits: 2, roundingMode: 'floor' });
