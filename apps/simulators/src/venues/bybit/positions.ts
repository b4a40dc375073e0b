import {
  type ClosedTrade,
  closedPositionsBetween,
  decimalText,
  type WorldAccount,
} from '../../world/index.ts';
import { holdingsAt, liquidationPriceOf } from '../holdings.ts';
import { integerOf } from '../http/parameters.ts';
import type { VenueRequest } from '../venue.ts';
import { isClassic } from './account.ts';
import { refuse } from './answers.ts';

const WEEK_MS = 7 * 86_400_000;

/** One page of the rows; the cursor is the next offset, percent-encoded once like the venue's. */
function page<T>(rows: T[], limit: number, { params }: VenueRequest, now: number) {
  const cursor = params.get('cursor') ?? '';
  // Clients send it back unchanged or encoded once more; the venue accepts both.
  const place = /^(?:page(?::|%3A)(\d{1,9}))?$/i.exec(cursor);
  if (!place) throw refuse(10001, now, 'cursor');
  const from = Number(place[1] ?? 0);
  const list = rows.slice(from, from + limit);
  // A full page promises another one, which may be empty.
  return { list, nextPageCursor: list.length === limit ? `page%3A${from + limit}` : '' };
}

function readLimit({ params }: VenueRequest, usual: number, most: number, now: number): number {
  const limit = integerOf(params, 'limit') ?? usual;
  if (integerOf(params, 'limit') === null || limit < 1 || limit > most) throw refuse(10001, now, 'limit');
  return limit;
}

function readCategory({ params }: VenueRequest, now: number): string {
  const category = params.get('category') ?? '';
  if (!['linear', 'inverse', 'option'].includes(category)) throw refuse(10001, now, 'category');
  return category;
}

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
  const start = integerOf(request.params, 'startTime');
  const end = integerOf(request.params, 'endTime');
  if (start === null || end === null) throw refuse(10001, now, 'startTime or endTime');
  const to = end ?? (start === undefined ? now : start + WEEK_MS);
  const from = start ?? to - WEEK_MS;
  if (to < from) throw refuse(10001, now, 'startTime is after endTime');
  if (to - from > WEEK_MS) throw refuse(10001, now, 'the time range may not exceed 7 days');
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
