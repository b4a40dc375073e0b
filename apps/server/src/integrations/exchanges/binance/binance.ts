import { GatewayError } from '../gateway.ts';
import { onlyReads, type Venue } from '../venue.ts';
import { findBinanceAlias, mayBinanceWithdraw, readBinanceKeyInfo } from './binance-account.ts';
import { BINANCE, binanceLimits } from './binance-endpoints.ts';
import { readBinanceEquityUsd } from './binance-equity.ts';
import { binanceErrors } from './binance-errors.ts';
import { readBinanceHistory } from './binance-history.ts';
import { readBinanceLeverages, readBinancePositions } from './binance-positions.ts';

/** Binance: the account of USDT and USDC margined futures. */
export const binance: Venue = {
  endpoints: BINANCE,
  errors: binanceErrors,
  limits: binanceLimits,
  isAllowed: onlyReads,
  reader: {
    async identify(session) {
      const mayWithdraw = mayBinanceWithdraw(await session.call(BINANCE.keyInfo));
      const accUid =
        findBinanceAlias(await session.call(BINANCE.balances)) ??
        findBinanceAlias(await session.call(BINANCE.allBalances));
      if (accUid === null) throw new GatewayError('bad_response');
      return { accUid, accountType: null, mayWithdraw };
    },
    equityUsd: readBinanceEquityUsd,
    async openPositions(session) {
      const answer = await session.call(BINANCE.positions);
      if (readBinancePositions(answer, new Map()).length === 0) return [];
      return readBinancePositions(answer, readBinanceLeverages(await session.call(BINANCE.symbolConfig)));
    },
    closedPositions: readBinanceHistory,
    keyInfo: async (session) => readBinanceKeyInfo(await session.call(BINANCE.keyInfo)),
  },
};
