import type { Endpoint, Venue } from '../venue.ts';

const endpoint = (method: string, weight = 1): Endpoint => ({ method, weight });

/** https://www.okx.com/docs-v5/en, each call's own section; all but the configuration allow 10 in 2 s. */
export const OKX = {
  config: endpoint('privateGetAccountConfig', 2),
  balance: endpoint('privateGetAccountBalance'),
  positions: endpoint('privateGetAccountPositions'),
  history: endpoint('privateGetAccountPositionsHistory'),
  instruments: endpoint('publicGetPublicInstruments'),
} as const;

export const okxLimits: Venue['limits'] = {
  // Private calls are limited by user only. Ours is a courtesy: so many users at full speed from one address.
  venue: { weight: 500, windowMs: 2_000, burst: 0.25 },
  account: { weight: 10, windowMs: 2_000, burst: 0.5 },
};
