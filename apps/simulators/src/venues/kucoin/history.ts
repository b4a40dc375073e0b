import {
  type ClosedTrade,
  closedPositionsBetween,
  decimalText,
  type WorldAccount,
} from '../../world/index.ts';
import { integerOf } from '../http/parameters.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';
import { listCoinClosed } from './coin-margined.ts';
import { symbolOf } from './contracts.ts';

const ROWS = 10;
const ROWS_AT_MOST = 200;

/**
 * https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history: by closing time, newest first,
 * in numbered pages. A row has no size.
 */
export function listHistoryPositions({ params }: VenueRequest, account: WorldAccount, now: number) {
  const from = integerOf(params, 'from');
  const to = integerOf(params, 'to');
  const limit = integerOf(params, 'limit') ?? ROWS;
  const pageId = integerOf(params, 'pageId') ?? 1;
  if (from === null || to === null || pageId < 1) throw refuse(400100, 'from, to or pageId');
  if (limit < 1 || limit > ROWS_AT_MOST) throw refuse(400100, 'limit');
  const symbol = params.get('symbol');
  const [fromMs, toMs] = [from ?? 0, Math.min(to ?? now, now)];
  const linear = closedPositionsBetween(account, fromMs, toMs).map((one) => closedRow(one, account));
  const inverse = listCoinClosed(account).filter(({ closeTime }) => closeTime >= fromMs && closeTime <= toMs);
  const rows = [...linear, ...inverse]
    .filter((one) => !symbol || one.symbol === symbol)
    .sort((a, b) => b.closeTime - a.closeTime);
  return {
    currentPage: pageId,
    pageSize: limit,
    totalNum: rows.length,
    totalPage: Math.ceil(rows.length / limit),
    items: rows.slice((pageId - 1) * limit, pageId * limit),
  };
}

/** pnl = gain (the cost with its sign reversed) - trading fees + funding. */
function closedRow(one: ClosedTrade, { accUid }: WorldAccount) {
  const margin = (Number(one.entryPrice) * Number(one.contracts)) / one.leverage;
  return {
    closeId: one.closeId,
    userId: accUid,
    symbol: symbolOf(one.instrument),
    settleCurrency: 'USDT',
    leverage: one.leverage.toFixed(1),
    type: one.side === 'long' ? 'CLOSE_LONG' : 'CLOSE_SHORT',
    side: one.side === 'long' ? 'LONG' : 'SHORT',
    pnl: decimalText(one.closedPnl),
    roe: decimalText(one.closedPnl / margin),
    realisedGrossCost: decimalText(-one.grossPnl),
    realisedGrossCostNew: decimalText(-one.grossPnl),
    withdrawPnl: '0.0',
    tradeFee: decimalText(one.openFee + one.closeFee),
    fundingFee: '0.0',
    openTime: one.openedAt,
    closeTime: one.closedAt,
    openPrice: one.entryPrice,
    closePrice: one.exitPrice,
    marginMode: 'CROSS',
    positionSide: 'BOTH',
  };
}
