import type { SimulatedPools } from '../../../pools/create-pools.ts';
import type { PoolState } from '../../../pools/pool-state.ts';
import type { Budget } from '../../limits/rate-limiter.ts';
import type { VenueRequest } from '../../venue.ts';
import { getPoolKeyInfo } from './key-call.ts';
import {
  getCoinInfo,
  getDepositAddress,
  getSubDepositAddress,
  listDeposits,
  listWithdrawals,
} from './record-calls.ts';
import { listPoolClosedPnl, listPoolLog, listPoolOrders, listPoolPositions } from './trading-calls.ts';
import { createTransfer, getFundingBalance, getPoolWallet, listTransfers } from './wallet-calls.ts';

export interface PoolCall {
  budget: Budget;
  answer(request: VenueRequest, pool: PoolState, now: number): object;
}

/** https://bybit-exchange.github.io/docs/v5/rate-limit */
const perSecond = (limit: number): Budget => ({ limit, windowMs: 1_000 });
const perMinute = (limit: number): Budget => ({ limit, windowMs: 60_000 });

/** The calls that the key of a pool's account is answered. */
export function createPoolCalls(pools: SimulatedPools): Record<string, PoolCall> {
  return {
    'GET /v5/user/query-api': {
      budget: perSecond(10),
      answer: (_request, pool, now) => getPoolKeyInfo(pool, now),
    },
    'GET /v5/account/info': {
      budget: perSecond(50),
      answer: () => ({ unifiedMarginStatus: 5, marginMode: 'REGULAR_MARGIN' }),
    },
    'GET /v5/account/wallet-balance': { budget: perSecond(50), answer: getPoolWallet },
    'GET /v5/asset/transfer/query-account-coins-balance': { budget: perSecond(5), answer: getFundingBalance },
    'POST /v5/asset/transfer/inter-transfer': {
      budget: perMinute(60),
      answer: (request, pool, now) => createTransfer(pools, request, pool, now),
    },
    'GET /v5/asset/transfer/query-inter-transfer-list': { budget: perMinute(60), answer: listTransfers },
    'GET /v5/asset/deposit/query-address': {
      budget: perMinute(300),
      answer: (request, pool, now) => getDepositAddress(pools, request, pool, now),
    },
    'GET /v5/asset/deposit/query-sub-member-address': {
      budget: perMinute(300),
      answer: (request, pool, now) => getSubDepositAddress(pools, request, pool, now),
    },
    'GET /v5/asset/deposit/query-record': { budget: perMinute(100), answer: listDeposits },
    'GET /v5/asset/withdraw/query-record': { budget: perMinute(300), answer: listWithdrawals },
    'GET /v5/asset/coin/query-info': {
      budget: perSecond(5),
      answer: (request, pool, now) => getCoinInfo(pools, request, pool, now),
    },
    'GET /v5/position/list': { budget: perSecond(50), answer: listPoolPositions },
    'GET /v5/order/realtime': { budget: perSecond(50), answer: listPoolOrders },
    'GET /v5/position/closed-pnl': { budget: perSecond(50), answer: listPoolClosedPnl },
    'GET /v5/account/transaction-log': { budget: perSecond(25), answer: listPoolLog },
  };
}
