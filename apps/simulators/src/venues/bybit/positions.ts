import {
  type ClosedTrade,
  closedPositionsBetween,
  decimalText,
  type WorldAccount,
} from '../../world/index.ts';
import { holdingsAt, liquidationPriceOf } from '../holdings.ts';
import type { VenueRequest } from '../venue.ts';
import { isClassic } from './account.ts';
import { refuse } from './answers.ts';
import { page, readCategory, readLimit, readSpan } from './paging.ts';

const WEEK_MS = 7 * 86_400_000;

/** https://bybit-exchange.github.io/docs/v5/position */
export function listPositions(request: VenueRequest, account: WorldAccount, now: number) {
  const category = readCategory(request, now);
  const symbol = request.params.get('symbol');
  const settleCoin = request.params.get('settleCoin');
  if (category === 'linear' && !symbol && !settleCoin)
    throw refuse(10001, now, 'symbol or settleCoin is required');
  if (isClassic(account) && settleCoin === 'USDC') throw refuse(10001, now, 'settleCoin');
  const isAsked = category === 'linear' && (symbol !== null || settleCoin === 'USDT');
  const open = isAsked ? holdingsAt(account, now).positions : [];
  const rows = open
    .filter((one) => !symbol || one.symbol === symbol)
    .map((one) => ({
      positionIdx: 0,
      riskId: 1,
      riskLimitValue: '200000',
      symbol: one.symbol,
      side: one.side === 'long' ? 'Buy' : 'Sell',
      size: one.contracts,
      avgPrice: one.entryPrice,
      positionValue: decimalText(Number(one.entryPrice) * Number(one.contracts)),
      tradeMode: 0,
      autoAddMargin: 0,
      positionStatus: 'Normal',
      leverage: String(one.leverage),
      markPrice: one.markPrice,
      liqPrice: decimalText(liquidationPriceOf(one), one.instrument.priceDecimals),
      bustPrice: '',
      positionIM: decimalText(one.notional / one.leverage),
      positionMM: decimalText(one.notional / one.leverage / 10),
      positionBalance: '0',
      takeProfit: '',
      stopLoss: '',
      trailingStop: '0',
      unrealisedPnl: decimalText(one.unrealizedPnl),
      curRealisedPnl: decimalText(-one.openFee),
      cumRealisedPnl: decimalText(-one.openFee),
      adlRankIndicator: 2,
      isReduceOnly: false,
      seq: one.openedAt,
      createdTime: String(one.openedAt),
      updatedTime: String(one.openedAt),
    }));
  return { category, ...page(rows, readLimit(request, 20, 200, now), request, now) };
}

/**
 * https://bybit-exchange.github.io/docs/v5/position/close-pnl: at most 7 days from start to end, the last 7 days when
 * neither is given. A row is a closing order, with the side of that order.
 */
export function listClosedPnl(request: VenueRequest, account: WorldAccount, now: number) {
  const category = readCategory(request, now);
  const symbol = request.params.get('symbol');
  const { from, to } = readSpan(request, { usualMs: WEEK_MS, mostMs: WEEK_MS }, now);
  const closed =
    category === 'linear' ? closedPositionsBetween(account, from, Math.min(to, now)).reverse() : [];
  const rows = closed.filter((one) => !symbol || one.symbol === symbol).map(closedRow);
  return { category, ...page(rows, readLimit(request, 50, 100, now), request, now) };
}

function closedRow(one: ClosedTrade) {
  const size = Number(one.contracts);
  return {
    symbol: one.symbol,
    orderId: one.closeId,
    side: one.side === 'long' ? 'Sell' : 'Buy',
    qty: one.contracts,
    orderPrice: one.exitPrice,
    orderType: 'Market',
    execType: 'Trade',
    closedSize: one.contracts,
    cumEntryValue: decimalText(Number(one.entryPrice) * size),
    avgEntryPrice: one.entryPrice,
    cumExitValue: decimalText(Number(one.exitPrice) * size),
    avgExitPrice: one.exitPrice,
    closedPnl: decimalText(one.closedPnl),
    fillCount: '1',
    leverage: String(one.leverage),
    openFee: decimalText(one.openFee),
    closeFee: decimalText(one.closeFee),
    createdTime: String(one.closedAt - 37),
    updatedTime: String(one.closedAt),
  };
}
