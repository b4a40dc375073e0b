import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { isZero, multiply } from '../shapes/decimal-text.ts';
import {
  decimal,
  identifier,
  optionalDecimal,
  optionalTimeMs,
  readShape,
  timeMs,
} from '../shapes/read-shape.ts';
import { isOkxContract, type OkxContract, okxBaseSize, okxSymbol } from './okx-contracts.ts';

/**
 * How a position was last made smaller. The row of a position is one, with sums over its life, and changes time and
 * sums until nothing is left of it: after 1 (closed in part), 4 (liquidated in part) and 5 (deleveraged in part) it
 * will come again, with all its PnL once more. Only 2, 3 and 6 are the end of it.
 * https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history
 */
const FINAL_TYPES: ReadonlySet<string> = new Set(['2', '3', '6']);

const row = z.object({
  instId: z.string(),
  instType: z.string(),
  type: identifier,
  posId: identifier,
  direction: z.enum(['long', 'short', '']),
  posSide: z.string().nullish(),
  openAvgPx: optionalDecimal,
  closeAvgPx: optionalDecimal,
  closeTotalPos: optionalDecimal,
  realizedPnl: decimal,
  lever: optionalDecimal,
  cTime: optionalTimeMs,
  uTime: timeMs,
});
export type OkxClosedRow = z.infer<typeof row>;

/** All rows, also of what is still open: paging goes by them. @param answer of GET /api/v5/account/positions-history */
export const readOkxClosedRows = (answer: unknown): OkxClosedRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data;

export const isOkxClosed = ({ instType, type, direction }: OkxClosedRow): boolean =>
  isOkxContract(instType) && FINAL_TYPES.has(type) && direction !== '';

/**
 * PnL is net of fees, funding and penalties. In net mode `posSide` says only `net`, so the direction is the side.
 * @param contract undefined when it was delisted since: then its size stays unknown
 */
export function toOkxClosed(from: OkxClosedRow, contract: OkxContract | undefined): ClosedPosition {
  const { openAvgPx, closeAvgPx, closeTotalPos } = from;
  const canSize = contract && closeTotalPos !== null && openAvgPx !== null && !isZero(openAvgPx);
  const pnlPrice = contract?.isInverse && closeAvgPx !== null ? closeAvgPx : '1';
  return {
    venueId: `${from.posId}:${from.uTime}`,
    symbol: okxSymbol(from.instId),
    side: from.direction === 'short' ? 'short' : 'long',
    entryPrice: openAvgPx,
    exitPrice: closeAvgPx,
    leverage: from.lever,
    contracts: canSize ? okxBaseSize(closeTotalPos, contract, openAvgPx) : null,
    closedPnl: multiply(from.realizedPnl, pnlPrice),
    feesIncluded: true,
    openedAt: from.cTime,
    closedAt: from.uTime,
  };
}
