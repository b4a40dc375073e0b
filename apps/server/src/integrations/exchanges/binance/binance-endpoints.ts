import type { Endpoint, Venue } from '../venue.ts';

const endpoint = (method: string, weight: number): Endpoint => ({ method, weight });

/** Weights: https://developers.binance.com/docs/derivatives/usds-margined-futures, each call's own page. */
export const BINANCE = {
  /** Counts on another budget of the venue; ours is stricter. */
  keyInfo: endpoint('sapiGetAccountApiRestrictions', 1),
  account: endpoint('fapiPrivateV3GetAccount', 5),
  balances: endpoint('fapiPrivateV3GetBalance', 5),
  /** Lists every asset, including those that the account never held. */
  allBalances: endpoint('fapiPrivateV2GetBalance', 5),
  /** Says whether the account is in multi-assets mode. */
  accountConfig: endpoint('fapiPrivateGetAccountConfig', 5),
  /** With a symbol. */
  markPrice: endpoint('fapiPublicGetPremiumIndex', 1),
  positions: endpoint('fapiPrivateV3GetPositionRisk', 5),
  symbolConfig: endpoint('fapiPrivateGetSymbolConfig', 5),
  income: endpoint('fapiPrivateGetIncome', 30),
  trades: endpoint('fapiPrivateGetUserTrades', 5),
} as const;

export const binanceLimits: Venue['limits'] = {
  venue: { weight: 2_400, windowMs: 60_000, burst: 0.25 },
  // No account limit is documented. A quarter keeps the long history of one account from using up the whole budget.
  account: { weight: 600, windowMs: 60_000, burst: 0.5 },
};
