import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, identifier, readShape, timeMs } from '../shapes/read-shape.ts';
import { hyperliquidSymbol } from './hyperliquid-state.ts';

const fill = z.object({
  coin: z.string(),
  px: decimal,
  sz: decimal,
  side: z.enum(['A', 'B']),
  time: timeMs,
  startPosition: decimal,
  dir: z.string(),
  closedPnl: decimal,
  tid: identifier,
});
export type HyperliquidFill = z.infer<typeof fill>;

/** @param answer of userFillsByTime */
export const readHyperliquidFills = (answer: unknown): HyperliquidFill[] => readShape(z.array(fill), answer);

/** `Close Long`, `Long > Short` and what the venue itself closes; `Open Long` and spot's `Buy` are none. */
const CLOSING = /^(Close |Liquidated |Auto-Deleveraging|Settlement)|>/;

export const isClosingFill = ({ dir, startPosition }: HyperliquidFill): boolean =>
  CLOSING.test(dir) && !isZero(startPosition);

/**
 * A closing fill as a closed position. One that turns a long into a short closed what was held before and opened
 * the rest. The PnL, without fees, tells how far from the exit the entry was; the leverage is nowhere.
 */
export function toHyperliquidClosed(from: HyperliquidFill): ClosedPosition {
  const isLong = !from.startPosition.startsWith('-');
  const held = magnitude(from.startPosition);
  const size = new Amount(from.sz).gt(held) ? held : from.sz;
  const perUnit = new Amount(from.closedPnl).div(size);
  const exit = new Amount(from.px);
  return {
    venueId: from.tid,
    symbol: hyperliquidSymbol(from.coin),
    side: isLong ? 'long' : 'short',
    entryPrice: toDerivedText(isLong ? exit.minus(perUnit) : exit.plus(perUnit)),
    exitPrice: from.px,
    leverage: null,
    contracts: size,
    closedPnl: from.closedPnl,
    feesIncluded: false,
    openedAt: null,
    closedAt: from.time,
  };
}
