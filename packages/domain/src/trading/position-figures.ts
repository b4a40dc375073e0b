import { sumDecimals } from '../money/decimals.ts';
import { ExactDecimal } from '../money/exact-decimal.ts';
import type { PositionSide } from './position-side.ts';

/** Part of the margin lost at liquidation, as the estimate assumes. */
const LOST_MARGIN = '0.8';
/** A quotient may have infinitely many decimals; prices and percentages have at most this many decimals. */
const MOST_DECIMALS = 12;

type Amount = string | null;
const amountOf = (text: Amount) => (text === null ? null : new ExactDecimal(text));

/**
 * The liquidation price of a position: entry x (1 - 0.8 / leverage) for a long one, x (1 + 0.8 / leverage) for a short
 * one (console spec, section 9). Null when entry or leverage is unknown, or the result is not above zero.
 */
export function estimateLiquidationPrice(position: {
  side: PositionSide;
  entryPrice: Amount;
  leverage: Amount;
}): Amount {
  const entry = amountOf(position.entryPrice);
  const leverage = amountOf(position.leverage);
  if (!entry || !leverage?.gt(0)) return null;
  const moved = position.side === 'long' ? leverage.minus(LOST_MARGIN) : leverage.plus(LOST_MARGIN);
  const price = entry.times(moved).div(leverage).toDecimalPlaces(MOST_DECIMALS);
  return price.gt(0) ? price.toFixed() : null;
}

/**
 * The price change in favour of a position, in per cent: (exit - entry) / entry x 100 for a long one, the reverse for a
 * short one (console spec, section 9). Null when a price is unknown or the entry is not above zero.
 */
export function percentChange(side: PositionSide, entryPrice: Amount, exitPrice: Amount): Amount {
  const entry = amountOf(entryPrice);
  const exit = amountOf(exitPrice);
  if (!entry?.gt(0) || !exit) return null;
  const gain = side === 'long' ? exit.minus(entry) : entry.minus(exit);
  return gain.div(entry).times(100).toDecimalPlaces(MOST_DECIMALS).toFixed();
}

/** Exact sum of all known PnL: Total Net Profit (console spec, section 9). Null when none is known. */
export function sumKnownPnl(pnls: readonly Amount[]): Amount {
  const known = pnls.filter((pnl) => pnl !== null);
  return known.length > 0 ? sumDecimals(known) : null;
}
