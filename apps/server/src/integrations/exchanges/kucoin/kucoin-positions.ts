import { z } from 'zod';
import { GatewayError, type OpenPosition } from '../gateway.ts';
import { isZero, multiply } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, optionalTimeMs, readShape } from '../shapes/read-shape.ts';
import { type KucoinContract, kucoinBaseSize } from './kucoin-contracts.ts';

const row = z.object({
  symbol: z.string(),
  isOpen: z.boolean(),
  currentQty: decimal,
  avgEntryPrice: optionalDecimal,
  markPrice: optionalDecimal,
  leverage: optionalDecimal,
  realLeverage: optionalDecimal,
  liquidationPrice: optionalDecimal,
  unrealisedPnl: optionalDecimal,
  openingTimestamp: optionalTimeMs,
});
export type KucoinPositionRow = z.infer<typeof row>;

/** Rows that hold something. @param answer of GET /api/v1/positions */
export const readKucoinPositionRows = (answer: unknown): KucoinPositionRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data.filter(
    ({ isOpen, currentQty }) => isOpen && !isZero(currentQty),
  );

/**
 * The sign of the quantity is the side. `leverage` is what the trader chose; `realLeverage`, what came of it, stands
 * in where the venue leaves it out. PnL of inverse contracts comes in the coin.
 */
export function toKucoinPosition(
  from: KucoinPositionRow,
  contract: KucoinContract | undefined,
): OpenPosition {
  const { currentQty, avgEntryPrice, markPrice, unrealisedPnl, liquidationPrice } = from;
  if (!contract || avgEntryPrice === null) throw new GatewayError('bad_response');
  const pnlPrice = contract.isInverse ? markPrice : '1';
  return {
    symbol: contract.symbol,
    venueSymbol: from.symbol,
    side: currentQty.startsWith('-') ? 'short' : 'long',
    contracts: kucoinBaseSize(currentQty, contract, avgEntryPrice),
    entryPrice: avgEntryPrice,
    markPrice,
    leverage: from.leverage ?? from.realLeverage,
    liquidationPrice: liquidationPrice === null || isZero(liquidationPrice) ? null : liquidationPrice,
    unrealizedPnl: unrealisedPnl === null || pnlPrice === null ? null : multiply(unrealisedPnl, pnlPrice),
    openedAt: from.openingTimestamp,
  };
}
