/** Base units of a whole number of USDT. */
export const usdt = (whole: number): bigint => BigInt(whole) * 10n ** 18n;

/** Base units of a decimal string of USDT. */
export function units(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(18, '0'));
}
