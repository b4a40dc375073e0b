import { z } from 'zod';
import { GatewayError, type OpenPosition } from '../gateway.ts';
import { isZero } from '../shapes/decimal-text.ts';
import { optionalDecimal, optionalTimeMs, readShape } from '../shapes/read-shape.ts';
import { knownPrice, profitInUsd } from '../shapes/settlement.ts';
import { isOkxContract, type OkxContract, okxBaseSize } from './okx-contracts.ts';
import { okxSettlement, okxSymbol, readOkxSymbol } from './okx-symbol.ts';

const row = z.object({
  instId: z.string(),
  instType: z.string(),
  ccy: z.string().nullish(),
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

/** Non-empty rows. @param answer of GET /api/v5/account/positions */
export const readOkxPositionRows = (answer: unknown): OkxPositionRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data.filter(
    ({ instType, pos }) => isOkxContract(instType) && pos !== null && !isZero(pos),
  );

/**
 * In net mode, where `posSide` is only `net`, the sign of the amount is the side. PnL of inverse contracts is paid in
 * the coin and valued at the mark price. https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions
 * @throws GatewayError bad_response for a contract of unknown size: the position cannot be converted into coins
 */
export function toOkxPosition(from: OkxPositionRow, contract: OkxContract | undefined): OpenPosition {
  const { pos, upl } = from;
  const entryPrice = knownPrice(from.avgPx);
  const markPrice = knownPrice(from.markPx);
  const isKnown = contract !== undefined && contract.isInverse === readOkxSymbol(from.instId).isInverse;
  if (!isKnown || pos === null || entryPrice === null) throw new GatewayError('bad_response');
  const isShort = from.posSide === 'short' || (from.posSide === 'net' && pos.startsWith('-'));
  return {
    symbol: okxSymbol(from.instId),
    venueSymbol: from.instId,
    side: isShort ? 'short' : 'long',
    contracts: okxBaseSize(pos, contract, entryPrice),
    entryPrice,
    markPrice,
    leverage: from.lever,
    liquidationPrice: knownPrice(from.liqPx),
    unrealizedPnl:
      upl === null ? null : profitInUsd(upl, okxSettlement(from.instId, from.ccy ?? '', markPrice)),
    openedAt: from.cTime,
  };
}
