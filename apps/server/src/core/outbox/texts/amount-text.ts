const UNITS_PER_TOKEN = 10n ** 18n;
const UNITS_PER_MICRO = 10n ** 12n;
const CENT_DIGITS = 2;
const MICRO_DIGITS = 6;

/**
 * An amount to the last digit, as every screen and export has it. @returns USDT, as in 1250.50
 *
 * As a wallet takes it: a point, no groups, the same in all languages. Two decimals, or six and more, never three: half
 * of our readers would take 1.250 for a thousand and more.
 */
export function exactText(units: bigint): string {
  const decimals = (units % UNITS_PER_TOKEN).toString().padStart(18, '0').replace(/0+$/, '');
  const shown = decimals.padEnd(decimals.length > CENT_DIGITS ? MICRO_DIGITS : CENT_DIGITS, '0');
  return `${units / UNITS_PER_TOKEN}.${shown}`;
}

/** What to send: many wallets take six decimals only, and whoever sends what is written has paid all of it. */
export function payableText(units: bigint): string {
  return exactText(((units + UNITS_PER_MICRO - 1n) / UNITS_PER_MICRO) * UNITS_PER_MICRO);
}
