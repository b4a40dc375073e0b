/** The kind of contracts in a request. */
export type BybitCategory = 'linear' | 'inverse';

/** A contract's common name and its settlement currency. */
export interface BybitContract {
  base: string;
  quote: string;
  /** Null: not a documented kind of contract. */
  settles: string | null;
}

const MONTH = '[FGHJKMNQUVXZ]\\d{2}';
const INVERSE = new RegExp(`^([A-Z0-9]+)USD(${MONTH})?$`);
const DATED_LINEAR = /^([A-Z0-9]+?)(USDT|USDC)?-\d{1,2}[A-Z]{3}\d{2}$/;
const LINEAR = /^([A-Z0-9]+)(USDT|USDC|PERP)$/;

/**
 * Linear contracts settle in USDT or USDC: USDC perpetuals end in PERP, and dated USDC contracts have an expiry after
 * the coin. Inverse ones settle in their base coin; dated ones end in a month's letter and a year.
 * https://bybit-exchange.github.io/docs/v5/enum#symbol
 */
export function readBybitSymbol(venueSymbol: string, category: BybitCategory): BybitContract {
  if (category === 'inverse') {
    const base = INVERSE.exec(venueSymbol)?.[1];
    return base === undefined ? unknown(venueSymbol) : { base, quote: 'USD', settles: base };
  }
  const [, base, found] = DATED_LINEAR.exec(venueSymbol) ?? LINEAR.exec(venueSymbol) ?? [];
  if (base === undefined) return unknown(venueSymbol);
  const quote = found === 'USDT' ? 'USDT' : 'USDC';
  return { base, quote, settles: quote };
}

const unknown = (venueSymbol: string): BybitContract => ({ base: venueSymbol, quote: '', settles: null });

/** Base and quote of a contract in one word, as in BTCUSDT. */
export function bybitSymbol(venueSymbol: string, category: BybitCategory): string {
  const { base, quote } = readBybitSymbol(venueSymbol, category);
  return base + quote;
}
