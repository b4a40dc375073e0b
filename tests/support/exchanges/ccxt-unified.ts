import type { Exchange } from '@copydesk/domain/catalogue';
import { loadCcxtClass } from '../../../apps/server/src/integrations/exchanges/ccxt/load-ccxt.ts';

export interface UnifiedPosition {
  symbol: string;
  side: string;
  contracts: number;
  contractSize: number | undefined;
  entryPrice: number;
  markPrice: number | undefined;
  lastPrice: number | undefined;
  leverage: number | undefined;
  liquidationPrice: number | undefined;
  unrealizedPnl: number | undefined;
  realizedPnl: number | undefined;
  timestamp: number | undefined;
  lastUpdateTimestamp: number | undefined;
}

interface Parsers {
  setMarkets(markets: object[]): void;
  market(symbol: string): object;
  parsePosition(row: unknown, market?: object): UnifiedPosition;
  parseTrade(
    row: unknown,
    market?: object,
  ): { price: number; amount: number; side: string; timestamp: number; id: string };
  parseBalance(answer: unknown): Record<string, { total?: number }>;
}

/** ccxt's own parsers, which the product does not use, with one market set by hand. */
export async function createUnifiedParsers(
  exchange: Exchange,
  market: { id: string; symbol: string; base: string; quote: string; contractSize: number },
): Promise<Parsers> {
  const Venue = await loadCcxtClass(exchange);
  const instance = new Venue({}) as unknown as Parsers;
  instance.setMarkets([
    {
      ...market,
      settle: market.quote,
      baseId: market.base,
      quoteId: market.quote,
      settleId: market.quote,
      type: 'swap',
      spot: false,
      swap: true,
      future: false,
      option: false,
      contract: true,
      linear: true,
      inverse: false,
      active: true,
      precision: { amount: 0.001, price: 0.01 },
      limits: {},
      info: {},
    },
  ]);
  return instance;
}
