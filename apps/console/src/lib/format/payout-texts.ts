import { inOwnSigns, numberFormat } from './numbers.ts';
import { momentWords } from './read-time.ts';

const upTo6 = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 6 });
const millionths = (roundingMode: 'trunc' | 'ceil') =>
  numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 6, roundingMode });
const [cut, raised] = [millionths('trunc'), millionths('ceil')];
const whole = numberFormat({ maximumFractionDigits: 0 });
const twoPlaces = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const least = () => inOwnSigns('0.000001');
/** Whether a text has no other digit than zeros, although its amount has one. */
const hidesAmount = (text: string, amount: string) => !/[1-9]/.test(text) && /[1-9]/.test(amount);

/**
 * USDT with up to 6 decimals; a non-zero amount that rounds to zero is `<0.000001`. A decimal string is formatted
 * directly, never through a float.
 */
export function formatUsdt(amount: string): string {
  const text = upTo6(amount);
  return !text.startsWith('-') && hidesAmount(text, amount) ? `<${least()}` : text;
}
export const usdt = (amount: string) => `${formatUsdt(amount)} USDT`;
/** A non-zero amount that rounds to zero: `<1`. */
export const formatPartOfUsdt = (amount: string) =>
  whole(amount) === '0' && /[1-9]/.test(amount) ? '<1' : formatWholeUsdt(amount);
/** USDT in millionths, beside rounded figures: what is less is left over from dividing, and nobody can send it. */
export function exactUsdt(amount: string): string {
  const text = cut(amount);
  const less = amount.startsWith('-') ? `>-${least()}` : `<${least()}`;
  return `${hidesAmount(text, amount) ? less : text} USDT`;
}
/** USDT that a person is asked for: in whole millionths, rounded up, as in messages. */
export const askedUsdt = (amount: string) => `${raised(amount)} USDT`;
export const formatWholeUsdt = (amount: string) => whole(amount);
export const formatAverage = (amount: number) => twoPlaces(amount);

/** A recipient type as displayed: underscores become spaces. */
export const typeWords = (type: string) => type.replaceAll('_', ' ');

/** A status as displayed. */
export const statusWords = (status: string) => status || 'unknown';

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** When a new payout address is paid to. */
export function addressHoldWords(payableFrom: string | null, awaitsRelease: boolean): string {
  const isPast = payableFrom === null || Date.parse(payableFrom) <= Date.now();
  if (!awaitsRelease) return payableFrom === null ? 'Payable' : `Payable from ${momentWords(payableFrom)}`;
  return isPast
    ? 'Waits for another super admin to release it'
    : `Waits for another super admin, and until ${momentWords(payableFrom)}`;
}

/** What the owner of a changed address said of it. */
export function ownerWordWords({ kind, read_at }: { kind: 'confirmed' | 'not_me'; read_at: string }): string {
  return kind === 'confirmed'
    ? `Confirmed by its owner by Telegram, ${momentWords(read_at)}`
    : `The owner said: not me, ${momentWords(read_at)}`;
}

/** An address in groups of four characters, as a person compares it where it orders money. */
export const inFours = (address: string) => address.replace(/^(0x)|(.{4})(?=.)/g, '$1$2 ').trim();
