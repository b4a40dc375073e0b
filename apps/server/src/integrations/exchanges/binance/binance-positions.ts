import { z } from 'zod';
import type { DecimalText, OpenPosition } from '../gateway.ts';
import { isZero, magnitude } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';

const positions = z.array(
  z.object({
    symbol: z.string(),
    positionSide: z.enum(['BOTH', 'LONG', 'SHORT']),
    positionAmt: decimal,
    entryPrice: decimal,
    markPrice: optionalDecimal,
    unRealizedProfit: optionalDecimal,
    liquidationPrice: optionalDecimal,
  }),
);

const configs = z.array(z.object({ symbol: z.string(), leverage: decimal }));

/** A dated contract has its day behind the symbol. */
export const binanceSymbol = (venueSymbol: string): string => venueSymbol.replace(/_.*$/, '');

/** Leverage by symbol. @param answer of GET /fapi/v1/symbolConfig */
export const readBinanceLeverages = (answer: unknown): Map<string, DecimalText> =>
  new Map(readShape(configs, answer).map(({ symbol, leverage }) => [symbol, leverage]));

/**
 * The amount's sign is the side in one-way mode; in hedge mode shorts are negative too.
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
    markPrice: row.markPrice,
    leverage: leverages.get(row.symbol) ?? null,
    liquidationPrice:
      row.liquidationPrice === null || isZero(row.liquidationPrice) ? null : row.liquidationPrice,
    unrealizedPnl: row.unRealizedProfit,
    openedAt: null,
  }));
}
