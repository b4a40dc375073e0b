import type { Exchange } from '@copydesk/domain/catalogue';

/** Decimals of an amount in USD, the most that any of the venues writes. */
export const USD_DECIMALS = 8;

/** The nearest number with this many decimals. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** A plain decimal number without trailing zeros, and never -0. */
export function decimalText(value: number, decimals = USD_DECIMALS): string {
  const fixed = value.toFixed(decimals);
  const text = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return text === '-0' ? '0' : text;
}

/** Whether a venue's closed PnL is net of trading fees. */
export const FEES_INCLUDED: Record<Exchange, boolean> = {
  bybit: true,
  okx: true,
  kucoin: true,
  binance: false,
  hyperliquid: false,
};

/** A venue's fee as a share of the traded value, on opening and on closing, as for a maker order. */
export const FEE_RATE = 0.0002;
