import type { Exchange } from '@copydesk/domain';

/** Whether a venue's closed PnL is told after trading fees. */
export const FEES_INCLUDED: Record<Exchange, boolean> = {
  bybit: true,
  okx: true,
  kucoin: true,
  binance: false,
  hyperliquid: false,
};

/** Share of the traded value that a venue takes at either end, as for an order that rests in the book. */
export const FEE_RATE = 0.0002;
