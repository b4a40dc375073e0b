import type { PoolState } from '../../../pools/pool-state.ts';
import type { VenueRequest } from '../../venue.ts';
import { refuse } from '../answers.ts';
import { page, readCategory, readLimit, readSpan } from '../paging.ts';
import { amount } from './wallet-calls.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

function requireSettleCoin({ params }: VenueRequest, category: string, now: number): string | null {
  const settleCoin = params.get('settleCoin');
  if (category === 'linear' && !settleCoin && !params.get('symbol'))
    throw refuse(10001, now, 'symbol or settleCoin is required');
  return settleCoin;
}

/** https://bybit-exchange.github.io/docs/v5/position */
export function listPoolPositions(request: VenueRequest, pool: PoolState, now: number) {
  const category = readCategory(request, now);
  const settleCoin = requireSettleCoin(request, category, now);
  const rows = pool.positions
    .filter((one) => one.category === category && (category !== 'linear' || one.settleCoin === settleCoin))
    .map((one) => ({
      positionIdx: 0,
      symbol: one.symbol,
      side: one.side,
      size: one.size,
      avgPrice: one.price,
      positionValue: '',
      positionStatus: 'Normal',
      leverage: category === 'option' ? '' : '5',
      markPrice: one.price,
      liqPrice: '',
      unrealisedPnl: '0',
      createdTime: String(one.openedAt),
      updatedTime: String(one.openedAt),
    }));
  return { category, ...page(rows, readLimit(request, 20, 200, now), request, now) };
}

/** https://bybit-exchange.github.io/docs/v5/order/open-order: open orders, linear ones of USDT. */
export function listPoolOrders(request: VenueRequest, pool: PoolState, now: number) {
  const category = readCategory(request, now, ['spot']);
  const isOther = requireSettleCoin(request, category, now) === 'USDC';
  const rows = pool.orders
    .filter((one) => one.category === category && !isOther)
    .map(({ id }) => ({ orderId: id, orderLinkId: '', symbol: 'BTCUSDT', side: 'Buy', orderStatus: 'New' }));
  return { category, ...page(rows, readLimit(request, 20, 50, now), request, now) };
}

/** https://bybit-exchange.github.io/docs/v5/position/close-pnl, newest first. */
export function listPoolClosedPnl(request: VenueRequest, pool: PoolState, now: number) {
  const category = readCategory(request, now);
  const { from, to } = readSpan(request, { usualMs: WEEK_MS, mostMs: WEEK_MS }, now);
  const rows = (category === 'linear' ? pool.closed : [])
    .filter(({ closedAt }) => closedAt >= from && closedAt <= to)
    .reverse()
    .map((one) => ({
      symbol: one.symbol,
      orderId: one.orderId,
      side: one.side,
      qty: one.size,
      orderPrice: one.exitPrice,
      orderType: 'Market',
      execType: 'Trade',
      closedSize: one.size,
      cumEntryValue: '',
      avgEntryPrice: one.entryPrice,
      cumExitValue: '',
      avgExitPrice: one.exitPrice,
      closedPnl: amount(one.pnl),
      fillCount: '1',
      leverage: '5',
      openFee: amount(one.openFee),
      closeFee: amount(one.closeFee),
      createdTime: String(one.openedAt),
      updatedTime: String(one.closedAt),
    }));
  return { category, ...page(rows, readLimit(request, 50, 100, now), request, now) };
}

/** https://bybit-exchange.github.io/docs/v5/account/transaction-log: a day by default, newest first. */
export function listPoolLog(request: VenueRequest, pool: PoolState, now: number) {
  const { from, to } = readSpan(request, { usualMs: DAY_MS, mostMs: WEEK_MS }, now);
  const currency = request.params.get('currency');
  const rows = (currency === null || currency === 'USDT' ? pool.log : [])
    .filter(({ at }) => at >= from && at <= to)
    .reverse()
    .map((one) => ({
      id: one.id,
      symbol: '',
      category: 'linear',
      side: 'None',
      transactionTime: String(one.at),
      type: one.type,
      transSubType: '',
      qty: '0',
      size: '0',
      currency: 'USDT',
      tradePrice: '',
      funding: amount(one.funding),
      fee: amount(one.fee),
      cashFlow: amount(one.cashFlow),
      change: amount(one.cashFlow + one.funding - one.fee),
      cashBalance: amount(one.cashBalance),
      feeRate: '',
      bonusChange: '',
      tradeId: '',
      orderId: '',
      orderLinkId: '',
      extraFees: '',
    }));
  return page(rows, readLimit(request, 20, 50, now), request, now);
}
