import { z } from 'zod';
import { GatewayError, type OpenPosition } from '../gateway.ts';
import { isZero } from '../shapes/decimal-text.ts';
import { decimal, optionalDecimal, optionalTimeMs, readShape } from '../shapes/read-shape.ts';
import { knownPrice, profitInUsd } from '../shapes/settlement.ts';
import { type KucoinContract, kucoinBaseSize } from './kucoin-contracts.ts';

const row = z.object({
  symbol: z.string(),
  isOpen: z.boolean(),
  currentQty: decimal,
  /** In hedge mode an account has two positions of a contract: LONG and SHORT. */
  positionSide: z.string().nullish(),
  avgEntryPrice: optionalDecimal,
  markPrice: optionalDecimal,
  leverage: optionalDecimal,
  realLeverage: optionalDecimal,
  liquidationPrice: optionalDecimal,
  unrealisedPnl: optionalDecimal,
  settleCurrency: z.string().nullish(),
  openingTimestamp: optionalTimeMs,
});
export type KucoinPositionRow = z.infer<typeof row>;

/** Non-empty rows. @param answer of GET /api/v1/positions */
export const readKucoinPositionRows = (answer: unknown): KucoinPositionRow[] =>
  readShape(z.object({ data: z.array(row) }), answer).data.filter(
    ({ isOpen, currentQty }) => isOpen && !isZero(currentQty),
  );

/**
 * The sign of the quantity is the side. `leverage` is the trader's choice; the effective `realLeverage` replaces it
 * where the venue leaves it out. PnL is in the settlement currency, that of inverse contracts in the coin.
 * https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-position-list
 * @throws GatewayError bad_response for a contract of unknown size: the position cannot be converted into coins
 */
export function toKucoinPosition(
  from: KucoinPositionRow,
  contract: KucoinContract | undefined,
): OpenPosition {
  const { currentQty, unrealisedPnl, settleCurrency } = from;
  const entryPrice = knownPrice(from.avgEntryPrice);
  const markPrice = knownPrice(from.markPrice);
  if (!contract || entryPrice === null) throw new GatewayError('bad_response');
  const { symbol, base, quote, settles } = contract;
  const currency = !settleCurrency || settleCurrency === settles ? settles : null;
  return {
    symbol,
    venueSymbol: from.symbol,
    side: from.positionSide === 'SHORT' || currentQty.startsWith('-') ? 'short' : 'long',
    contracts: kucoinBaseSize(currentQty, contract, entryPrice),
    entryPrice,
    markPrice,
    leverage: from.leverage ?? from.realLeverage,
    liquidationPrice: knownPrice(from.liquidationPrice),
    unrealizedPnl:
      unrealisedPnl === null ? null : profitInUsd(unrealisedPnl, { currency, base, quote, price: markPrice }),
    openedAt: from.openingTimestamp,
  };
}
