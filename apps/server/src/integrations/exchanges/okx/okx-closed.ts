import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import {
  decimal,
  identifier,
  optionalDecimal,
  optionalTimeMs,
  readShape,
  timeMs,
} from '../shapes/read-shape.ts';
import { knownPrice, profitInUsd } from '../shapes/settlement.ts';
import { isOkxContract, type OkxContract, okxBaseSize } from './okx-contracts.ts';
import { okxSettlement, okxSymbol, readOkxSymbol } from './okx-symbol.ts';

/**
 * The last reduction of a position. A position has one row with sums over its life, whose time and sums change until it
 * is closed: after 1 (closed in part), 4 (liquidated in part) and 5 (deleveraged in part) it returns later, with its
 * whole PnL again. Only 2, 3 and 6 end it.
 * https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history
 */
const FINAL_TYPES: ReadonlySet<string> = new Set(['2', '3', '6']);

const row = z.object({
  instId: z.string(),
  instType: z.string(),
  ccy: z.string().nullish(),
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

/**
 * All rows, including open positions: paging depends on them. @param answer of GET /api/v5/account/positions-history
 */
export const readOkxClosedRows = (answer: unknown): OkxClosedRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data;

export const isOkxClosed = ({ instType, type, direction }: OkxClosedRow): boolean =>
  isOkxContract(instType) && FINAL_TYPES.has(type) && direction !== '';

/**
 * PnL is net of fees, funding and penalties, in the contract's settlement currency; that of inverse contracts is valued
 * at the average closing price. In net mode `posSide` is only `net`, so the direction is the side.
 * https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history
 * @param contract undefined when it expired or was delisted later: then its size stays unknown
 */
export function toOkxClosed(from: OkxClosedRow, contract: OkxContract | undefined): ClosedPosition {
  const { closeTotalPos } = from;
  const entryPrice = knownPrice(from.openAvgPx);
  const exitPrice = knownPrice(from.closeAvgPx);
  const isKnown = contract !== undefined && contract.isInverse === readOkxSymbol(from.instId).isInverse;
  return {
    venueId: `${from.posId}:${from.uTime}`,
    symbol: okxSymbol(from.instId),
    side: from.direction === 'short' ? 'short' : 'long',
    entryPrice,
    exitPrice,
    leverage: from.lever,
    contracts:
      isKnown && closeTotalPos !== null && entryPrice !== null
        ? okxBaseSize(closeTotalPos, contract, entryPrice)
        : null,
    closedPnl: profitInUsd(from.realizedPnl, okxSettlement(from.instId, from.ccy ?? '', exitPrice)),
    feesIncluded: true,
    openedAt: from.cTime,
    closedAt: from.uTime,
  };
}
