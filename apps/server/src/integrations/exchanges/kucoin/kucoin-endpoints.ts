import type { Endpoint, Venue } from '../venue.ts';

const endpoint = (method: string, weight: number): Endpoint => ({ method, weight });

/** Weights: https://www.kucoin.com/docs-new, each call's own page. */
export const KUCOIN = {
  /** On the host of the spot market. */
  keyInfo: endpoint('privateGetUserApiKey', 20),
  overview: endpoint('futuresPrivateGetAccountOverview', 5),
  positions: endpoint('futuresPrivateGetPositions', 2),
  history: endpoint('futuresPrivateGetHistoryPositions', 2),
  contracts: endpoint('futuresPublicGetContractsActive', 3),
  markPrice: endpoint('futuresPublicGetMarkPriceSymbolCurrent', 3),
} as const;

export const kucoinLimits: Venue['limits'] = {
  venue: { weight: 2_000, windowMs: 30_000, burst: 0.25 },
  // A quarter, so that the history of one account does not use up everybody's.
  account: { weight: 500, windowMs: 30_000, burst: 0.5 },
};
