import { z } from 'zod';
import type { ClosedPosition } from '../gateway.ts';
import { Amount, isZero, toDerivedText } from '../shapes/decimal-text.ts';
import { decimal, identifier, readShape, timeMs } from '../shapes/read-shape.ts';
import { isDollar } from '../shapes/settlement.ts';
import { binanceQuote, binanceSymbol } from './binance-symbol.ts';

const trade = z.object({
  symbol: z.string(),
  orderId: identifier,
  side: z.enum(['BUY', 'SELL']),
  positionSide: z.enum(['BOTH', 'LONG', 'SHORT']),
  price: decimal,
  qty: decimal,
  realizedPnl: decimal,
  time: timeMs,
});
export type BinanceTrade = z.infer<typeof trade>;

/** @param answer of GET /fapi/v1/userTrades */
export const readBinanceTrades = (answer: unknown): BinanceTrade[] => readShape(z.array(trade), answer);

const income = z.array(z.object({ symbol: z.string(), time: timeMs, asset: z.string().nullish() }));

/** @param answer of GET /fapi/v1/income */
export const readBinanceIncome = (answer: unknown): z.infer<typeof income> => readShape(income, answer);

/**
 * Whether a realised profit is in dollars: `asset` is its payment currency, which fills do not name.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Get-Income-History
 */
export function isBinanceIncomeInDollars({
  symbol,
  asset,
}: Pick<z.infer<typeof income>[number], 'symbol' | 'asset'>): boolean {
  const currency = asset || binanceQuote(symbol);
  return currency !== null && isDollar(currency);
}

/**
 * Whether a fill made a position smaller. In hedge mode the sides show it. In one-way mode only the PnL does: a fill
 * that closed at its exact entry price looks like an opening one, and made no profit either.
 */
function isClosing({ positionSide, side, realizedPnl }: BinanceTrade): boolean {
  if (positionSide === 'BOTH') return !isZero(realizedPnl);
  return (positionSide === 'LONG') === (side === 'SELL');
}

/**
 * Fills of one order at one ms as one closed position. The venue has no entry prices: the PnL, which excludes fees,
 * gives the distance from exit to entry. The leverage at that time is not recorded. Profit in a coin, as of ETHBTC, has
 * no price in dollars here and stays unknown.
 */
function toClosed(fills: [BinanceTrade, ...BinanceTrade[]], isInDollars: boolean): ClosedPosition {
  const [{ symbol, orderId, side, time }] = fills;
  const zero = new Amount(0);
  const size = fills.reduce((sum, { qty }) => sum.plus(qty), zero);
  const value = fills.reduce((sum, { qty, price }) => sum.plus(new Amount(qty).times(price)), zero);
  const pnl = fills.reduce((sum, { realizedPnl }) => sum.plus(realizedPnl), zero);
  const exit = value.div(size);
  const perUnit = pnl.div(size);
  const isLong = side === 'SELL';
  return {
    venueId: `${symbol}:${orderId}:${time}`,
    symbol: binanceSymbol(symbol),
    side: isLong ? 'long' : 'short',
    entryPrice: toDerivedText(isLong ? exit.minus(perUnit) : exit.plus(perUnit)),
    exitPrice: toDerivedText(exit),
    leverage: null,
    contracts: size.toFixed(),
    closedPnl: isInDollars ? pnl.toFixed() : null,
    feesIncluded: false,
    openedAt: null,
    closedAt: time,
  };
}

/**
 * Closed positions of a symbol's fills. The fills of any ms must be complete.
 * @param isInDollars whether the profit of this symbol is
 */
export function groupBinanceTrades(trades: readonly BinanceTrade[], isInDollars: boolean): ClosedPosition[] {
  const closing = trades.filter((fill) => isClosing(fill) && !isZero(fill.qty));
  const byOrder = Map.groupBy(closing, ({ symbol, orderId, time }) => `${symbol}:${orderId}:${time}`);
  return [...byOrder.values()].map((fills) =>
    toClosed(fills as [BinanceTrade, ...BinanceTrade[]], isInDollars),
  );
}
