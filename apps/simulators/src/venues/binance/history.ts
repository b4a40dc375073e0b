import { INSTRUMENTS, type WorldAccount } from '../../world/index.ts';
import { integerOf } from '../http/parameters.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';
import { listFills } from './fills.ts';
import { CROSS_SYMBOL, listCrossIncome, listCrossTrades } from './other-assets.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The venue documents three months. */
const TTL_MS = 90 * DAY_MS;

function readRange({ params }: VenueRequest, now: number) {
  const start = integerOf(params, 'startTime');
  const end = integerOf(params, 'endTime');
  if (start === null || end === null) throw refuse(-1102, 'startTime or endTime');
  if (start !== undefined && end !== undefined && start > end) throw refuse(-1023);
  return { start, end, earliest: now - TTL_MS };
}

function readLimit({ params }: VenueRequest, usual: number): number {
  const limit = integerOf(params, 'limit') ?? usual;
  if (integerOf(params, 'limit') === null || limit < 1 || limit > 1000) throw refuse(-1130, 'limit');
  return limit;
}

/**
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/account/rest-api/Get-Income-History: the last 7
 * days by default, of 3 months, oldest first, in pages.
 */
export function listIncome(request: VenueRequest, account: WorldAccount, now: number) {
  const { start, end, earliest } = readRange(request, now);
  const type = request.params.get('incomeType');
  const symbol = request.params.get('symbol');
  const limit = readLimit(request, 100);
  const page = integerOf(request.params, 'page') ?? 1;
  const toMs = end ?? now;
  const fromMs = Math.max(start ?? toMs - WEEK_MS, earliest);
  const rows = listFills(account, { fromMs, toMs }, now).flatMap((fill) => {
    const row = (incomeType: string, income: number, place: number) => ({
      symbol: fill.symbol,
      incomeType,
      income: income.toFixed(8),
      asset: 'USDT',
      time: fill.time,
      info: String(fill.id),
      // Unique within its type, as documented.
      tranId: fill.id * 2 + place,
      tradeId: String(fill.id),
    });
    const paid = row('COMMISSION', -fill.commission, 0);
    return fill.realizedPnl === 0 ? [paid] : [row('REALIZED_PNL', fill.realizedPnl, 1), paid];
  });
  const cross = listCrossIncome(account, fromMs, Math.min(toMs, now));
  return [...rows, ...cross]
    .sort((a, b) => a.time - b.time)
    .filter((row) => (!type || row.incomeType === type) && (!symbol || row.symbol === symbol))
    .slice((page - 1) * limit, page * limit);
}

/**
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Account-Trade-List: one symbol,
 * at most 7 days from start to end, of 3 months, oldest first.
 */
export function listUserTrades(request: VenueRequest, account: WorldAccount, now: number) {
  const symbol = request.params.get('symbol');
  if (!symbol) throw refuse(-1102, 'symbol');
  if (symbol !== CROSS_SYMBOL && !INSTRUMENTS.binance.some((one) => one.symbol === symbol))
    throw refuse(-1121);
  const { start, end, earliest } = readRange(request, now);
  if (start !== undefined && end !== undefined && end - start > WEEK_MS) throw refuse(-4165);
  if ((start ?? now) < earliest - DAY_MS) throw refuse(-4166);
  const fromId = integerOf(request.params, 'fromId');
  const orderId = integerOf(request.params, 'orderId');
  const limit = readLimit(request, 500);
  if (typeof fromId === 'number' && (start ?? end) !== undefined)
    throw refuse(-1130, 'fromId goes with no time');
  const toMs = end ?? (start === undefined ? now : start + WEEK_MS);
  const fromMs = typeof fromId === 'number' ? earliest : Math.max(start ?? toMs - WEEK_MS, earliest);
  if (symbol === CROSS_SYMBOL) return listCrossTrades(account, fromMs, Math.min(toMs, now));
  const fills = listFills(account, { fromMs, toMs }, now).filter(
    (fill) =>
      fill.symbol === symbol &&
      fill.id >= (fromId ?? 0) &&
      (orderId === undefined || fill.orderId === orderId),
  );
  // Without a start the latest ones are returned.
  const chosen = start === undefined && fromId === undefined ? fills.slice(-limit) : fills.slice(0, limit);
  return chosen.map((fill) => ({
    buyer: fill.isBuy,
    commission: fill.commission.toFixed(8),
    commissionAsset: 'USDT',
    id: fill.id,
    maker: true,
    orderId: fill.orderId,
    price: fill.price,
    qty: fill.qty.toFixed(fill.decimals),
    quoteQty: (fill.qty * Number(fill.price)).toFixed(8),
    realizedPnl: fill.realizedPnl.toFixed(8),
    side: fill.isBuy ? 'BUY' : 'SELL',
    positionSide: 'BOTH',
    symbol: fill.symbol,
    time: fill.time,
  }));
}
