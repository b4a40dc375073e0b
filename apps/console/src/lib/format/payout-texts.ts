import { momentWords } from './read-time.ts';

const upTo6 = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const millionths = (roundingMode: 'trunc' | 'ceil') =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6, roundingMode });
const [cut, raised] = [millionths('trunc'), millionths('ceil')];
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const twoPlaces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * USDT with up to 6 decimals; a non-zero amount that rounds to zero is `<0.000001`. A decimal string is formatted
 * directly, never through a float.
 */
export function formatUsdt(amount: string): string {
  const text = upTo6.format(amount as `${number}`);
  return text === '0.00' && /[1-9]/.test(amount) ? '<0.000001' : text;
}
export const usdt = (amount: string) => `${formatUsdt(amount)} USDT`;
/** A non-zero amount that rounds to zero: `<1`. */
export const formatPartOfUsdt = (amount: string) =>
  whole.format(amount as `${number}`) === '0' && /[1-9]/.test(amount) ? '<1' : formatWholeUsdt(amount);
/** USDT in millionths, beside rounded figures: what is less is left over from dividing, and nobody can send it. */
export function exactUsdt(amount: string): string {
  const text = cut.format(amount as `${number}`);
  const isLess = /^-?0\.00$/.test(text) && /[1-9]/.test(amount);
  return `${isLess ? (amount.startsWith('-') ? '>-0.000001' : '<0.000001') : text} USDT`;
}
/** USDT that a person is asked for: in whole millionths, rounded up, as in messages. */
export const askedUsdt = (amount: string) => `${raised.format(amount as `${number}`)} USDT`;
export const formatWholeUsdt = (amount: string) => whole.format(amount as `${number}`);
export const formatAverage = (amount: number) => twoPlaces.format(amount);

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

/** An address by its first 6 and last 4 characters. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
