import { retryAfterHeader } from '../errors/retry-after.ts';
import { codeUnder, type VenueErrors } from '../errors/venue-errors.ts';
import { GatewayError } from '../gateway.ts';
import { isZero } from '../shapes/decimal-text.ts';
import { onlyReads, type Venue } from '../venue.ts';
import { findBinanceAlias, mayBinanceWithdraw, readBinanceKeyInfo } from './binance-account.ts';
import { BINANCE, binanceLimits } from './binance-endpoints.ts';
import { readBinanceEquityUsd } from './binance-equity.ts';
import { readBinanceHistory } from './binance-history.ts';
import { unlessPortfolio } from './binance-portfolio.ts';
import { readBinanceLeverages, readBinancePositions } from './binance-positions.ts';

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
export const binanceErrors: VenueErrors = {
  codeOf: codeUnder('code'),
  codes: {
    '-1000': 'venue_unavailable',
    '-1001': 'venue_unavailable',
    '-1002': 'insufficient_permission',
    '-1003': 'rate_limited',
    '-1004': 'venue_unavailable',
    '-1005': 'ip_not_allowed',
    '-1006': 'venue_unavailable',
    '-1007': 'timeout',
    '-1008': 'venue_unavailable',
    '-1011': 'ip_not_allowed',
    '-1015': 'rate_limited',
    '-1016': 'venue_unavailable',
    '-1021': 'clock_skew',
    '-1022': 'invalid_credentials',
    // A start that is older than the venue remembers.
    '-4166': 'bad_response',
    '-1099': 'invalid_credentials',
    '-1109': 'invalid_account',
    '-2008': 'invalid_credentials',
    '-2014': 'invalid_credentials',
    '-2017': 'key_locked',
    // A wrong key, a foreign address and a missing permission all give this code.
    '-2015': 'credentials_or_ip',
  },
  // Its web firewall counts requests too.
  statuses: { 403: 'rate_limited' },
  // 418 is the ban after requests continued despite 429.
  retryAfterMs: (answer) => retryAfterHeader(answer) ?? (answer.status === 418 ? 120_000 : 60_000),
  // All limits are per address.
  isAccountLimit: () => false,
};

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
