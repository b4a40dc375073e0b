const UNITS_PER_CENT = 10n ** 16n;
const UNITS_PER_MICRO = 10n ** 12n;

/** What is owed: whoever pays what is written has paid all of it. @returns USDT, as in 1250.50 */
export function owedText(units: bigint): string {
  return plainText((units + UNITS_PER_MICRO - 1n) / UNITS_PER_MICRO);
}

/** What came in, never more than did. */
export function receivedText(units: bigint): string {
  return plainText(units / UNITS_PER_MICRO);
}

/**
 * As a wallet takes it: a point, no groups, the same in all languages. Two decimals or six, never three: half of our
 * readers would take 1.250 for a thousand and more.
 */
function plainText(micros: bigint): string {
  const isWholeCents = (micros * UNITS_PER_MICRO) % UNITS_PER_CENT === 0n;
  const digits = micros.toString().padStart(7, '0');
  const decimals = digits.slice(-6);
  return `${digits.slice(0, -6)}.${isWholeCents ? decimals.slice(0, 2) : decimals}`;
}
