import type { Exchange } from '@copydesk/domain';

/** The exchanges' own spelling. */
const NAMES: Record<Exchange, string> = {
  bybit: 'Bybit',
  binance: 'Binance',
  okx: 'OKX',
  kucoin: 'KuCoin',
  hyperliquid: 'Hyperliquid',
};

export function exchangeName(exchange: Exchange): string {
  return NAMES[exchange];
}
