import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { isZero } from '../shapes/decimal-text.ts';
import {
  decimal,
  identifier,
  optionalDecimal,
  optionalTimeMs,
  plainNumber,
  readShape,
  timeMs,
} from '../shapes/read-shape.ts';
import { profitInUsd } from '../shapes/settlement.ts';
import { type KucoinContract, kucoinBaseSize, readKucoinSymbol } from './kucoin-contracts.ts';

const row = z.object({
  closeId: identifier,
  symbol: z.string(),
  settleCurrency: z.string(),
  type: z.string(),
  side: z.string().nullish(),
  leverage: optionalDecimal,
  closeSize: optionalDecimal,
  pnl: decimal,
  openTime: optionalTimeMs,
  closeTime: timeMs,
  openPrice: optionalDecimal,
  closePrice: optionalDecimal,
});
export type KucoinClosedRow = z.infer<typeof row>;

const historyAnswer = z.object({
  data: z.object({ items: z.array(row), totalPage: plainNumber.pipe(z.int().nonnegative()) }),
});

/** @param answer of GET /api/v1/history-positions */
export const readKucoinClosed = (answer: unknown): { items: KucoinClosedRow[]; totalPage: number } =>
  readShape(historyAnswer, answer).data;

/** Liquidations have no side, but a type that implies it: LIQUID_LONG, CLOSE_SHORT. */
const sideOf = ({ side, type }: KucoinClosedRow): 'long' | 'short' =>
  /SHORT/i.test(side || type) ? 'short' : 'long';

/** The venue writes 0 for unknown figures of a liquidation. */
const known = (value: string | null): string | null => (value === null || isZero(value) ? null : value);

/**
 * PnL is net of fees and funding and in the settlement currency. The coin profit of an inverse contract is valued at
 * the closing price, which a liquidation may leave out.
 * https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history
 * @param contract undefined when it was delisted later
 */
export function toKucoinClosed(from: KucoinClosedRow, contract: KucoinContract | undefined): ClosedPosition {
  const [entryPrice = null, exitPrice = null, size = null] = [
    from.openPrice,
    from.closePrice,
    from.closeSize,
  ].map(known);
  const { symbol, base, quote } = contract ?? readKucoinSymbol(from.symbol);
  const isKnown = contract !== undefined && contract.settles === from.settleCurrency;
  const price = entryPrice ?? exitPrice;
  return {
    venueId: from.closeId,
    symbol,
    side: sideOf(from),
    entryPrice,
    exitPrice,
    leverage: known(from.leverage),
    contracts: isKnown && size !== null && price !== null ? kucoinBaseSize(size, contract, price) : null,
    closedPnl: profitInUsd(from.pnl, { currency: from.settleCurrency, base, quote, price: exitPrice }),
    feesIncluded: true,
    openedAt: from.openTime,
    closedAt: from.closeTime,
  };
}
