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

/** The venue documents three months. */
const TTL_MS = 90 * 86_400_000;

/**
 * https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history: newest first; `after` requests rows
 * older than a uTime and `before` newer ones, 100 rows at most.
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
  const fromMs = Math.max(now - TTL_MS, (before ?? 0) + 1);
  const toMs = Math.min(now, (after ?? Number.POSITIVE_INFINITY) - 1);
  const swaps = closedPositionsBetween(account, fromMs, toMs).map((one) => closedRow(one, account));
  const expired = listExpired(account).filter(
    ({ uTime }) => Number(uTime) >= fromMs && Number(uTime) <= toMs,
  );
  return [...swaps, ...expired]
    .filter((one) => (!instId || one.instId === instId) && (!posId || one.posId === posId))
    .sort((a, b) => Number(b.uTime) - Number(a.uTime))
    .slice(0, limit);
}

/**
 * A position in an inverse contract that expired later, closed an hour after the epoch. Its profit is in bitcoin, like
 * its margin.
 */
function listExpired({ traits, epochMs }: WorldAccount) {
  if (traits.books !== 'expired_inverse') return [];
  const day = new Date(epochMs + 86_400_000).toISOString().slice(2, 10).replaceAll('-', '');
  const row = {
    instType: 'FUTURES',
    mgnMode: 'cross',
    type: '2',
    cTime: String(epochMs),
    uTime: String(epochMs + 3_600_000),
    nonSettleAvgPx: '',
    posSide: 'net',
    direction: 'long',
    openMaxPos: '50',
    closeTotalPos: '50',
    settledPnl: '',
    pnlRatio: '0.1',
    fee: '0',
    fundingFee: '0',
    liqPenalty: '0',
    lever: '5.0',
    triggerPx: '',
  };
  return [
    {
      ...row,
      instId: `BTC-USD-${day}`,
      posId: '770000000000000001',
      openAvgPx: '50000',
      closeAvgPx: '60000',
      realizedPnl: '0.1',
      pnl: '0.1',
      uly: 'BTC-USD',
      ccy: 'BTC',
    },
    {
      ...row,
      uTime: String(epochMs + 3_600_001),
      instId: `ETH-USD_UM-${day}`,
      posId: '770000000000000002',
      openAvgPx: '3000',
      closeAvgPx: '3100',
      realizedPnl: '500',
      pnl: '500',
      uly: 'ETH-USD',
      ccy: 'USDC',
    },
  ];
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
