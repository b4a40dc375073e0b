import { GatewayError } from '../gateway.ts';
import { isZero } from '../shapes/decimal-text.ts';
import { onlyReads, type Venue } from '../venue.ts';
import { findBinanceAlias, mayBinanceWithdraw, readBinanceKeyInfo } from './binance-account.ts';
import { BINANCE, binanceLimits } from './binance-endpoints.ts';
import { readBinanceEquityUsd } from './binance-equity.ts';
import { binanceErrors } from './binance-errors.ts';
import { readBinanceHistory } from './binance-history.ts';
import { unlessPortfolio } from './binance-portfolio.ts';
import { readBinanceLeverages, readBinancePositions } from './binance-positions.ts';

/** Binance: the account of USDT and USDC margined futures. */
export const binance: Venue = {
  endpoints: BINANCE,
  errors: binanceErrors,
  limits: binanceLimits,
  isAllowed: onlyReads,
  reader: {
    async identify(session) {
      const keyInfo = await session.call(BINANCE.keyInfo);
      const findUid = async () =>
        findBinanceAlias(await session.call(BINANCE.balances)) ??
        findBinanceAlias(await session.call(BINANCE.allBalances));
      const accUid = await unlessPortfolio(session, findUid, (uid) => uid === null);
      if (accUid === null) throw new GatewayError('bad_response');
      return { accUid, accountType: null, mayWithdraw: mayBinanceWithdraw(keyInfo) };
    },
    equityUsd: (session) => unlessPortfolio(session, () => readBinanceEquityUsd(session), isZero),
    openPositions: (session) =>
      unlessPortfolio(
        session,
        async () => {
          const answer = await session.call(BINANCE.positions);
          if (readBinancePositions(answer, new Map()).length === 0) return [];
          const leverages = readBinanceLeverages(await session.call(BINANCE.symbolConfig));
          return readBinancePositions(answer, leverages);
        },
        (positions) => positions.length === 0,
      ),
    closedPositions: (session, range, cursor) =>
      unlessPortfolio(
        session,
        () => readBinanceHistory(session, range, cursor),
        () => false,
      ),
    keyInfo: async (session) => readBinanceKeyInfo(await session.call(BINANCE.keyInfo)),
  },
};
