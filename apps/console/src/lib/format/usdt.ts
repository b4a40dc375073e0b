import { inOwnSigns, numberFormat } from './numbers.ts';

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
/**
 * USDT in millionths, beside rounded figures: a smaller part is left over from dividing, and cannot be sent.
 */
export function exactUsdt(amount: string): string {
  const text = cut(amount);
  const less = amount.startsWith('-') ? `>-${least()}` : `<${least()}`;
  return `${hidesAmount(text, amount) ? less : text} USDT`;
}
const cut2 = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2, roundingMode: 'trunc' });
/** USDT in cents, never rounded up; less than one is `<0.01`. */
export function formatCents(amount: string): string {
  const text = cut2(amount);
  if (!hidesAmount(text, amount)) return text;
  return `${amount.startsWith('-') ? '>-' : '<'}${inOwnSigns('0.01')}`;
}
/** USDT that a person is asked for: in whole millionths, rounded up, as in messages. */
export const askedUsdt = (amount: string) => `${raised(amount)} USDT`;
export const formatWholeUsdt = (amount: string) => whole(amount);
export const formatAverage = (amount: number) => twoPlaces(amount);
