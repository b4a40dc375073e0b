import { askedUnits } from '@copydesk/domain/money';

const UNITS_PER_TOKEN = 10n ** 18n;
const CENT_DIGITS = 2;
const MICRO_DIGITS = 6;

/**
 * An exact amount, as on every screen and export. @returns USDT, as in 1250.50
 *
 * The format of wallets: a decimal point, no grouping, the same in all languages. Two decimals, or six and more, never
 * three: half of our readers would read 1.250 as more than a thousand.
 */
export function exactText(units: bigint): string {
  const decimals = (units % UNITS_PER_TOKEN).toString().padStart(18, '0').replace(/0+$/, '');
  const shown = decimals.padEnd(decimals.length > CENT_DIGITS ? MICRO_DIGITS : CENT_DIGITS, '0');
  return `${units / UNITS_PER_TOKEN}.${shown}`;
}

/** The amount to send, which pays in full. */
export const payableText = (units: bigint): string => exactText(askedUnits(units));
