import type { Exchange } from '@copydesk/domain/catalogue';

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
