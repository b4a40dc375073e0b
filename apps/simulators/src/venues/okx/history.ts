import {
  type ClosedTrade,
  closedPositionsBetween,
  decimalText,
  type WorldAccount,
} from '../../world/index.ts';
import { integerOf } from '../http/parameters.ts';
import type { VenueRequest } from '../venue.ts';
import { isNetMode } from './account.ts';
import { refuse } from './answers.ts';
import { contractsOf, instIdOf } from './contracts.ts';

/** The venue says three months. */
const KEPT_MS = 90 * 86_400_000;

/**
 * https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history: the newest first, `after` asks
 * for what is older than a uTime and `before` for what is newer, 100 rows at most.
 */
export function listPositionsHistory(request: VenueRequest, account: WorldAccount, now: number) {
  const { params } = request;
  const limit = integerOf(params, 'limit') ?? 100;
  const after = integerOf(params, 'after');
  const before = integerOf(params, 'before');
  if (integerOf(params, 'limit') === null || limit < 1 || limit > 100) throw refuse(51000, 'limit');
  if (after === null || before === null) throw refuse(51000, 'after or before');
  const instType = params.get('instType') ?? 'SWAP';
  const mgnMode = params.get('mgnMode') ?? 'cross';
  const type = params.get('type') ?? '2';
  if (instType !== 'SWAP' || mgnMode !== 'cross' || type !== '2') return [];
  const instId = params.get('instId');
  const posId = params.get('posId');
  const fromMs = Math.max(now - KEPT_MS, (before ?? 0) + 1);
  const toMs = Math.min(now, (after ?? Number.POSITIVE_INFINITY) - 1);
  return closedPositionsBetween(account, fromMs, toMs)
    .filter((one) => (!instId || instIdOf(one.instrument) === instId) && (!posId || one.openId === posId))
    .reverse()
    .slice(0, limit)
    .map((one) => closedRow(one, account));
}

function closedRow(one: ClosedTrade, account: WorldAccount) {
  const contracts = decimalText(contractsOf(one.instrument, one.contracts));
  const margin = (Number(one.entryPrice) * Number(one.contracts)) / one.leverage;
  return {
    instType: 'SWAP',
    instId: instIdOf(one.instrument),
    mgnMode: 'cross',
    type: '2',
    cTime: String(one.openedAt),
    uTime: String(one.closedAt),
    openAvgPx: one.entryPrice,
    closeAvgPx: one.exitPrice,
    nonSettleAvgPx: '',
    posId: one.openId,
    posSide: isNetMode(account) ? 'net' : one.side,
    direction: one.side,
    openMaxPos: contracts,
    closeTotalPos: contracts,
    realizedPnl: decimalText(one.closedPnl),
    settledPnl: '',
    pnl: decimalText(one.grossPnl),
    pnlRatio: decimalText(one.closedPnl / margin),
    fee: decimalText(-(one.openFee + one.closeFee)),
    fundingFee: '0',
    liqPenalty: '0',
    lever: String(one.leverage),
    triggerPx: '',
    uly: `${one.instrument.base}-USDT`,
    ccy: 'USDT',
  };
}
