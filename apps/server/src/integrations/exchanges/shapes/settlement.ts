import type { DecimalText } from '../gateway.ts';
import { Amount, multiply } from './decimal-text.ts';

/**
 * Currencies that count as one US dollar each: the dollar, stablecoins that a venue settles contracts in, and Binance's
 * futures credits (BNFCR, which Binance keeps at one dollar). Dexes on Hyperliquid settle in USDT0, USDH and USDE; USDG
 * and USDⓈ are behind the USD-margined contracts of OKX. A currency outside this list never counts as dollars.
 */
const DOLLARS: ReadonlySet<string> = new Set([
  'USD',
  'USDT',
  'USDC',
  'FDUSD',
  'BUSD',
  'BNFCR',
  'USDG',
  'USDⓈ',
  'USDT0',
  'USDH',
  'USDE',
]);

export const isDollar = (currency: string): boolean => DOLLARS.has(currency);

/** A contract's payment currency, and the price that converts it into dollars. Currencies are the venue's own names. */
export interface Settlement {
  /** The currency of the profit; null: not known. */
  currency: string | null;
  base: string;
  quote: string;
  /** The contract's own price: exit price of a closed position, mark price of an open one; null: not known. */
  price: DecimalText | null;
}

/**
 * A profit in USD; null where its currency or price is unknown. A profit in the base coin, which inverse contracts pay,
 * is valued at the contract's own price, provided that is a price in dollars.
 * @param amount in the settlement currency
 */
export function profitInUsd(
  amount: DecimalText,
  { currency, base, quote, price }: Settlement,
): DecimalText | null {
  if (currency === null) return null;
  if (isDollar(currency)) return amount;
  const known = knownPrice(price);
  return currency === base && isDollar(quote) && known !== null ? multiply(amount, known) : null;
}

/** A price above zero. Venues write 0 for an unknown price, as after a liquidation. */
export const knownPrice = (price: DecimalText | null): DecimalText | null =>
  price !== null && new Amount(price).gt(0) ? price : null;
