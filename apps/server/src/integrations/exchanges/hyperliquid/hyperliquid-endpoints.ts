import type { Endpoint, Venue } from '../venue.ts';

const info = (weight: number, extraWeight?: Endpoint['extraWeight']): Endpoint => ({
  method: 'publicPostInfo',
  weight,
  ...(extraWeight && { extraWeight }),
});

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
export const HYPERLIQUID = {
  state: info(2),
  spotState: info(2),
  mode: info(20),
  dexes: info(20),
  dexMeta: info(20),
  role: info(60),
  agents: info(20),
  /** One more for each 20 rows of the answer. */
  fills: info(20, (answer) => (Array.isArray(answer) ? Math.ceil(answer.length / 20) : 0)),
} as const;

export const hyperliquidLimits: Venue['limits'] = {
  // Verifying an account costs about 124, or 184 for an agent without a name: 80 or 140 for its roles, 20 for the list
  // of dexes, 24 for the states on ten of them. An operator waits for it, so nearly all of it may be spent at once.
  venue: { weight: 1_200, windowMs: 60_000, burst: 0.75 },
  // No limit is documented for reads of one address.
  account: { weight: 1_200, windowMs: 60_000, burst: 0.6 },
};
