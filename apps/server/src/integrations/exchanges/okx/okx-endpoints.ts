import type { VenueRegions } from '../regions.ts';
import type { Endpoint, Venue } from '../venue.ts';

/** Every call of a user has its own count, in windows of two seconds. */
const WINDOW_MS = 2_000;

/** @param perWindow requests of one user; https://www.okx.com/docs-v5/en, each call's own section */
const endpoint = (method: string, perWindow: number): Endpoint => ({
  method,
  weight: 1,
  accountLimit: { weight: perWindow, windowMs: WINDOW_MS, burst: 0.5 },
});

export const OKX = {
  config: endpoint('privateGetAccountConfig', 5),
  balance: endpoint('privateGetAccountBalance', 10),
  positions: endpoint('privateGetAccountPositions', 10),
  history: endpoint('privateGetAccountPositionsHistory', 10),
  instruments: endpoint('publicGetPublicInstruments', 20),
} as const;

export const okxLimits: Venue['limits'] = {
  // Private calls are limited by user only. Ours is a courtesy: some users at full speed from one address.
  venue: { weight: 500, windowMs: WINDOW_MS, burst: 0.25 },
  account: { weight: 10, windowMs: WINDOW_MS, burst: 0.5 },
};

/**
 * The platforms of my.okx.com (Europe) and app.okx.com (United States), each with accounts and contracts of its own. The
 * main one answers 50119, "API key doesn't exist", for their keys. https://www.okx.com/docs-v5/en/#overview
 */
export const OKX_REGIONS: VenueRegions = {
  hosts: { eea: 'eea.okx.com', us: 'us.okx.com' },
  unknownKey: new Set(['50119']),
};
