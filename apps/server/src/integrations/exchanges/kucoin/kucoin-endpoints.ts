import type { Endpoint, Venue } from '../venue.ts';

const endpoint = (method: string, weight: number): Endpoint => ({ method, weight });

/** Weights: https://www.kucoin.com/docs-new, each call's own page. */
export const KUCOIN = {
  /** On the host of the spot market. */
  keyInfo: endpoint('privateGetUserApiKey', 20),
  /** Likewise. */
  mode: endpoint('utaPrivateGetAccountMode', 30),
  overview: endpoint('futuresPrivateGetAccountOverview', 5),
  positions: endpoint('futuresPrivateGetPositions', 2),
  history: endpoint('futuresPrivateGetHistoryPositions', 2),
  contracts: endpoint('futuresPublicGetContractsActive', 3),
  markPrice: endpoint('futuresPublicGetMarkPriceSymbolCurrent', 3),
} as const;

export const kucoinLimits: Venue['limits'] = {
  // Private calls are limited by user only. Ours is a courtesy: a few users at full speed from one address.
  venue: { weight: 10_000, windowMs: 30_000, burst: 0.25 },
  account: { weight: 2_000, windowMs: 30_000, burst: 0.5 },
};
