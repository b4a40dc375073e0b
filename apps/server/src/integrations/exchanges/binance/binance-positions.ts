import { z } from 'zod';
import type { DecimalText, OpenPosition } from '../gateway.ts';
import { isZero, magnitude } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';
import { isDollar, knownPrice } from '../shapes/settlement.ts';
import { binanceQuote, binanceSymbol } from './binance-symbol.ts';

const positions = z.array(
  z.object({
    symbol: z.string(),
    positionSide: z.enum(['BOTH', 'LONG', 'SHORT']),
    positionAmt: decimal,
    entryPrice: decimal,
    markPrice: optionalDecimal,
    unRealizedProfit: optionalDecimal,
    liquidationPrice: optionalDecimal,
    marginAsset: z.string().nullish(),
  }),
);

const configs = z.array(z.object({ symbol: z.string(), leverage: decimal }));

/** Leverage by symbol. @param answer of GET /fapi/v1/symbolConfig */
export const readBinanceLeverages = (answer: unknown): Map<string, DecimalText> =>
  new Map(readShape(configs, answer).map(({ symbol, leverage }) => [symbol, leverage]));

/** Whether a contract pays in dollars. ETHBTC pays in BTC, so its own price is not a price in dollars. */
function isPaidInDollars(symbol: string, marginAsset: string | null | undefined): boolean {
  const currency = marginAsset || binanceQuote(symbol);
  return currency !== null && isDollar(currency);
}

/**
 * The amount's sign is the side in one-way mode; in hedge mode shorts are negative too. PnL comes in the margin asset.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Position-Information-V3
 * @param answer of GET /fapi/v3/positionRisk, which no longer has the leverage
 */
export function readBinancePositions(
  answer: unknown,
  leverages: ReadonlyMap<string, DecimalText>,
): OpenPosition[] {
  const open = readShape(positions, answer).filter(({ positionAmt }) => !isZero(positionAmt));
  return open.map((row) => ({
    symbol: binanceSymbol(row.symbol),
    venueSymbol: row.symbol,
    side: row.positionSide === 'SHORT' || row.positionAmt.startsWith('-') ? 'short' : 'long',
    contracts: magnitude(row.positionAmt),
    entryPrice: row.entryPrice,
    markPrice: knownPrice(row.markPrice),
    leverage: leverages.get(row.symbol) ?? null,
    liquidationPrice: knownPrice(row.liquidationPrice),
    unrealizedPnl: isPaidInDollars(row.symbol, row.marginAsset) ? row.unRealizedProfit : null,
    openedAt: null,
  }));
}
