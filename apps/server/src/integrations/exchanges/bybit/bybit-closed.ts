import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { Amount, multiply, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, identifier, readShape, timeMs } from '../shapes/read-shape.ts';
import type { BybitCategory } from './bybit-positions.ts';
import { bybitSymbol } from './bybit-symbol.ts';

const row = z.object({
  symbol: z.string(),
  orderId: identifier,
  side: z.enum(['Buy', 'Sell']),
  closedSize: decimal,
  avgEntryPrice: decimal,
  avgExitPrice: decimal,
  closedPnl: decimal,
  leverage: decimal,
  updatedTime: timeMs,
});

const closedAnswer = z.object({
  result: z.object({ list: z.array(row), nextPageCursor: z.string().nullish() }),
});

/**
 * A row is one closing order. Its side is that of the order: what was bought to close was short. PnL is net of
 * trading fees and in the coin on inverse contracts, whose size is in USD.
 */
function toClosed(from: z.infer<typeof row>, category: BybitCategory): ClosedPosition {
  const isInverse = category === 'inverse';
  const { avgEntryPrice: entryPrice, avgExitPrice: exitPrice } = from;
  return {
    venueId: `${from.orderId}:${from.updatedTime}`,
    symbol: bybitSymbol(from.symbol),
    side: from.side === 'Buy' ? 'short' : 'long',
    entryPrice,
    exitPrice,
    leverage: from.leverage,
    contracts: isInverse ? toDerivedText(new Amount(from.closedSize).div(entryPrice)) : from.closedSize,
    closedPnl: isInverse ? multiply(from.closedPnl, exitPrice) : from.closedPnl,
    feesIncluded: true,
    openedAt: null,
    closedAt: from.updatedTime,
  };
}

/** @param answer of GET /v5/position/closed-pnl */
export function readBybitClosed(
  answer: unknown,
  category: BybitCategory,
): { items: ClosedPosition[]; nextCursor: string | null } {
  const { result } = readShape(closedAnswer, answer);
  return {
    items: result.list.map((from) => toClosed(from, category)),
    nextCursor: result.nextPageCursor || null,
  };
}
