import { z } from 'zod';
import { type DecimalText, GatewayError, type OpenPosition } from '../gateway.ts';
import type { Page } from '../paging/page-trail.ts';
import { Amount, isZero, magnitude, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, plainNumber, readShape } from '../shapes/read-shape.ts';
import { knownPrice, profitInUsd } from '../shapes/settlement.ts';
import { type BybitCategory, readBybitSymbol } from './bybit-symbol.ts';

const row = z.object({
  symbol: z.string(),
  positionIdx: plainNumber.nullish(),
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

export type BybitPositionRow = z.infer<typeof row>;

/** `None` or an empty side marks an empty position, so with a size the row contradicts itself. */
function sideOf({ side }: BybitPositionRow): OpenPosition['side'] {
  if (side === 'Buy') return 'long';
  if (side === 'Sell') return 'short';
  throw new GatewayError('bad_response');
}

/** The size in coins. Inverse contracts are counted in USD; the value of such a position is its amount of coins. */
function baseSize(
  { size, positionValue }: BybitPositionRow,
  category: BybitCategory,
  entryPrice: DecimalText,
): DecimalText {
  if (category === 'linear') return size;
  if (positionValue !== null && !isZero(positionValue)) return magnitude(positionValue);
  return toDerivedText(new Amount(size).div(entryPrice));
}

/**
 * The PnL of inverse contracts is paid in the coin and valued at the mark price. `openedAt` stays unknown:
 * `createdTime` is that of the first position ever held. https://bybit-exchange.github.io/docs/v5/position
 */
function toPosition(from: BybitPositionRow, category: BybitCategory): OpenPosition {
  const { base, quote, settles } = readBybitSymbol(from.symbol, category);
  const entryPrice = knownPrice(from.avgPrice);
  const markPrice = knownPrice(from.markPrice);
  if (entryPrice === null) throw new GatewayError('bad_response');
  return {
    symbol: base + quote,
    venueSymbol: from.symbol,
    side: sideOf(from),
    contracts: baseSize(from, category, entryPrice),
    entryPrice,
    markPrice,
    leverage: from.leverage,
    liquidationPrice: knownPrice(from.liqPrice),
    unrealizedPnl:
      from.unrealisedPnl === null
        ? null
        : profitInUsd(from.unrealisedPnl, { currency: settles, base, quote, price: markPrice }),
    openedAt: null,
  };
}

/** All rows, empty places included: paging depends on them. @param answer of GET /v5/position/list */
export function readBybitPositionRows(answer: unknown): Page<BybitPositionRow> {
  const { list, nextPageCursor } = readShape(positionsAnswer, answer).result;
  return { rows: list, nextCursor: nextPageCursor || null };
}

/** An account in hedge mode has two positions of a contract, told apart by their index. */
export const bybitPositionId = ({ symbol, positionIdx, side }: BybitPositionRow): string =>
  `${symbol} ${positionIdx ?? ''} ${side}`;

export const toBybitPositions = (
  rows: readonly BybitPositionRow[],
  category: BybitCategory,
): OpenPosition[] => rows.filter(({ size }) => !isZero(size)).map((from) => toPosition(from, category));
