import type { VenueRegions } from '../regions.ts';
import type { Endpoint, Venue } from '../venue.ts';

/** Every request counts one. https://bybit-exchange.github.io/docs/v5/rate-limit */
const endpoint = (method: string): Endpoint => ({ method, weight: 1 });

export const BYBIT = {
  /** /docs/v5/user/apikey-info; allowed for every key. */
  keyInfo: {
    ...endpoint('privateGetV5UserQueryApi'),
    accountLimit: { weight: 10, windowMs: 1_000, burst: 0.5 },
  },
  /** /docs/v5/account/wallet-balance */
  walletBalance: endpoint('privateGetV5AccountWalletBalance'),
  /** /docs/v5/account/account-info; allowed for every key. */
  accountInfo: endpoint('privateGetV5AccountInfo'),
  /** /docs/v5/market/tickers */
  tickers: endpoint('publicGetV5MarketTickers'),
  /** /docs/v5/position */
  positions: endpoint('privateGetV5PositionList'),
  /** /docs/v5/position/close-pnl */
  closedPnl: endpoint('privateGetV5PositionClosedPnl'),
} as const;

export const bybitLimits: Venue['limits'] = {
  venue: { weight: 600, windowMs: 5_000, burst: 0.25 },
  account: { weight: 50, windowMs: 1_000, burst: 0.5 },
};

/**
 * The platforms for single countries. The main one answers 10003, "API key is invalid", for their keys.
 * https://bybit-exchange.github.io/docs/v5/guide
 */
export const BYBIT_REGIONS: VenueRegions = {
  hosts: {
    eu: 'api.bybit.eu',
    nl: 'api.bybit.nl',
    tr: 'api.bybit-tr.com',
    kz: 'api.bybit.kz',
    ge: 'api.bybitgeorgia.ge',
    ae: 'api.bybit.ae',
    id: 'api.bybit.id',
  },
  unknownKey: new Set(['10003']),
};
