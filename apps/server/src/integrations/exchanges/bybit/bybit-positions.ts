import { z } from 'zod';
import { GatewayError, type OpenPosition } from '../gateway.ts';
import { isZero, multiply } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, readShape } from '../shapes/read-shape.ts';
import { bybitSymbol } from './bybit-symbol.ts';

export type BybitCategory = 'linear' | 'inverse';

const row = z.object({
  symbol: z.string(),
  side: z.enum(['Buy', 'Sell', 'None', '']),
  size: decimal,
  positionValue: optionalDecimal,
  avgPrice: optionalDecimal,
  markPrice: optionalDecimal,
  leverage: optionalDecimal,
  liqPrice: optionalDecimal,
  unrealisedPnl: optionalDecimal,
});

const positionsAnswer = z.object({
  result: z.object({ list: z.array(row), nextPageCursor: z.string().nullish() }),
});

/**
 * Inverse contracts count in USD and settle in the coin: the position's value is the amount of coins there, and the
 * PnL is worth its mark price. `openedAt` stays unknown: `createdTime` is that of the first position ever held.
 */
function toPosition(from: z.infer<typeof row>, category: BybitCategory): OpenPosition {
  const { avgPrice, markPrice, unrealisedPnl, positionValue } = from;
  const isInverse = category === 'inverse';
  if (avgPrice === null) throw new GatewayError('bad_response');
  const pnlPrice = isInverse ? markPrice : '1';
  return {
    symbol: bybitSymbol(from.symbol),
    venueSymbol: from.symbol,
    side: from.side === 'Buy' ? 'long' : 'short',
    contracts: isInverse && positionValue !== null ? positionValue : from.size,
    entryPrice: avgPrice,
    markPrice,
    leverage: from.leverage,
    liquidationPrice: from.liqPrice === null || isZero(from.liqPrice) ? null : from.liqPrice,
    unrealizedPnl: unrealisedPnl === null || pnlPrice === null ? null : multiply(unrealisedPnl, pnlPrice),
    openedAt: null,
  };
}

/** @param answer of GET /v5/position/list */
export function readBybitPositions(
  answer: unknown,
  category: BybitCategory,
): { positions: OpenPosition[]; nextCursor: string | null } {
  const { result } = readShape(positionsAnswer, answer);
  return {
    positions: result.list.filter(({ size }) => !isZero(size)).map((from) => toPosition(from, category)),
    nextCursor: result.nextPageCursor || null,
  };
}
