import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, identifier, readShape, timeMs } from '../shapes/read-shape.ts';
import { isDollar } from '../shapes/settlement.ts';
import { hyperliquidMarket, hyperliquidSymbol } from './hyperliquid-state.ts';

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
  /** Fees are paid in the collateral. */
  feeToken: z.string().nullish(),
});
export type HyperliquidFill = z.infer<typeof fill>;

/** @param answer of userFillsByTime */
export const readHyperliquidFills = (answer: unknown): HyperliquidFill[] => readShape(z.array(fill), answer);

/** `Close Long`, `Long > Short` and positions that the venue itself closes, and fills that open or are of spot. */
const CLOSING = /^(Close |Liquidated |Auto-Deleveraging|Settlement)|>/;
const NOT_CLOSING = /^(Open |Buy|Sell|Spot )/;

/**
 * Only perpetuals have positions: outcomes are held like spot, and their settlement closes none. The text of a fill is
 * for display; where it is a new one, a fill that leads towards zero closes.
 */
export function isClosingFill({ coin, dir, side, startPosition }: HyperliquidFill): boolean {
  if (hyperliquidMarket(coin) !== 'perpetual' || isZero(startPosition)) return false;
  if (CLOSING.test(dir)) return true;
  return !NOT_CLOSING.test(dir) && startPosition.startsWith('-') === (side === 'B');
}

/** The settlement currency of a fill: its fee's token, or USDC on the venue's own dex, where old fills name none. */
const collateralOf = ({ coin, feeToken }: HyperliquidFill): string | null =>
  feeToken || (coin.includes(':') ? null : 'USDC');

/**
 * A closing fill as a closed position. One that turns a long into a short closed the previous position and opened the
 * rest. The PnL, without fees, gives the distance from exit to entry; the leverage is not recorded. The PnL is in the
 * dex's collateral, and stays unknown where that is not a dollar.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
export function toHyperliquidClosed(from: HyperliquidFill): ClosedPosition {
  const isLong = !from.startPosition.startsWith('-');
  const held = magnitude(from.startPosition);
  const size = new Amount(from.sz).gt(held) ? held : from.sz;
  const perUnit = new Amount(from.closedPnl).div(size);
  const exit = new Amount(from.px);
  const collateral = collateralOf(from);
  return {
    venueId: from.tid,
    symbol: hyperliquidSymbol(from.coin, collateral),
    side: isLong ? 'long' : 'short',
    entryPrice: toDerivedText(isLong ? exit.minus(perUnit) : exit.plus(perUnit)),
    exitPrice: from.px,
    leverage: null,
    contracts: size,
    closedPnl: collateral !== null && isDollar(collateral) ? from.closedPnl : null,
    feesIncluded: false,
    openedAt: null,
    closedAt: from.time,
  };
}
