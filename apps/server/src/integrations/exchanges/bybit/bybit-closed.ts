import { z } from 'zod';
import type { ClosedPosition, DecimalText } from '../gateway.ts';
import { Amount, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, identifier, optionalDecimal, readShape, timeMs } from '../shapes/read-shape.ts';
import { knownPrice, profitInUsd } from '../shapes/settlement.ts';
import { type BybitCategory, readBybitSymbol } from './bybit-symbol.ts';

const row = z.object({
  symbol: z.string(),
  orderId: identifier,
  side: z.enum(['Buy', 'Sell']),
  closedSize: decimal,
  avgEntryPrice: optionalDecimal,
  avgExitPrice: optionalDecimal,
  closedPnl: decimal,
  leverage: optionalDecimal,
  updatedTime: timeMs,
});

const closedAnswer = z.object({
  result: z.object({ list: z.array(row), nextPageCursor: z.string().nullish() }),
});

/** The size in coins; null for an inverse contract, which counts in USD, without its entry price. */
function baseSize(closedSize: DecimalText, category: BybitCategory, entryPrice: DecimalText | null) {
  if (category === 'linear') return closedSize;
  return entryPrice === null ? null : toDerivedText(new Amount(closedSize).div(entryPrice));
}

/**
 * A row is one closing order. Its side is that of the order: a buy closed a short. PnL is net of trading fees. On
 * inverse contracts it is paid in the coin and valued at the average exit price.
 * https://bybit-exchange.github.io/docs/v5/position/close-pnl
 */
function toClosed(from: z.infer<typeof row>, category: BybitCategory): ClosedPosition {
  const { base, quote, settles } = readBybitSymbol(from.symbol, category);
  const entryPrice = knownPrice(from.avgEntryPrice);
  const exitPrice = knownPrice(from.avgExitPrice);
  return {
    venueId: `${from.orderId}:${from.updatedTime}`,
    symbol: base + quote,
    side: from.side === 'Buy' ? 'short' : 'long',
    entryPrice,
    exitPrice,
    leverage: from.leverage,
    contracts: baseSize(from.closedSize, category, entryPrice),
    closedPnl: profitInUsd(from.closedPnl, { currency: settles, base, quote, price: exitPrice }),
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
