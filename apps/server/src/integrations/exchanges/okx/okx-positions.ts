import { z } from 'zod';
import { GatewayError, type OpenPosition } from '../gateway.ts';
import { isZero, multiply } from '../shapes/decimal-text.ts';
import { optionalDecimal, optionalTimeMs, readShape } from '../shapes/read-shape.ts';
import { isOkxContract, type OkxContract, okxBaseSize, okxSymbol } from './okx-contracts.ts';

const row = z.object({
  instId: z.string(),
  instType: z.string(),
  posSide: z.enum(['net', 'long', 'short']),
  pos: optionalDecimal,
  avgPx: optionalDecimal,
  markPx: optionalDecimal,
  lever: optionalDecimal,
  liqPx: optionalDecimal,
  upl: optionalDecimal,
  cTime: optionalTimeMs,
});
export type OkxPositionRow = z.infer<typeof row>;

/** Rows that hold something. @param answer of GET /api/v5/account/positions */
export const readOkxPositionRows = (answer: unknown): OkxPositionRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data.filter(
    ({ instType, pos }) => isOkxContract(instType) && pos !== null && !isZero(pos),
  );

/**
 * The sign of the amount is the side in net mode, where `posSide` says only `net`. PnL of inverse contracts comes in
 * the coin and is told in USD by the mark price.
 */
export function toOkxPosition(from: OkxPositionRow, contract: OkxContract | undefined): OpenPosition {
  const { pos, avgPx, markPx, upl } = from;
  if (!contract || pos === null || avgPx === null) throw new GatewayError('bad_response');
  const pnlPrice = contract.isInverse ? markPx : '1';
  const isShort = from.posSide === 'short' || (from.posSide === 'net' && pos.startsWith('-'));
  return {
    symbol: okxSymbol(from.instId),
    venueSymbol: from.instId,
    side: isShort ? 'short' : 'long',
    contracts: okxBaseSize(pos, contract, avgPx),
    entryPrice: avgPx,
    markPrice: markPx,
    leverage: from.lever,
    liquidationPrice: from.liqPx,
    unrealizedPnl: upl === null || pnlPrice === null ? null : multiply(upl, pnlPrice),
    openedAt: from.cTime,
  };
}
