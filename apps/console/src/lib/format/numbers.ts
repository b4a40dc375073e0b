import {
  formatCount as writeCount,
  formatUsd as writeUsd,
  formatWholeUsd as writeWholeUsd,
} from '@copydesk/domain/money';
import type { NumberFormat } from '@copydesk/domain/person';
import { personSettings } from '../person-settings.ts';

// Everything on screen with thousands or decimals comes from here or from figures.ts. The server writes messages
// and files, and never knows how a person reads.

/** The signs of thousands and of decimals. The space is narrow, and does not break a line. */
const SIGNS: Record<NumberFormat, string> = {
  comma_point: ',.',
  point_comma: '.,',
  space_comma: '\u202f,',
  apostrophe_point: "'.",
};

/** A number that is written as in en-US, with the signs that the person chose. */
export function inOwnSigns(text: string): string {
  const signs = SIGNS[personSettings.get().numbers];
  return text.replace(/[,.]/g, (sign) => signs.charAt(sign === ',' ? 0 : 1));
}

/** A format of numbers, in the signs that the person chose by the time it is used. */
export function numberFormat(options?: Intl.NumberFormatOptions) {
  const format = new Intl.NumberFormat('en-US', options);
  return (amount: number | string) => inOwnSigns(format.format(amount as `${number}`));
}

type Amount = number | string | null | undefined;

/** AUM and invoice list amounts: USD without decimals. */
export const formatWholeUsd = (amount: Amount) => inOwnSigns(writeWholeUsd(amount));

/** Money elsewhere: USD with 2 decimals. */
export const formatUsd = (amount: Amount) => inOwnSigns(writeUsd(amount));

export const formatCount = (n: number) => inOwnSigns(writeCount(n));
