import type { Endpoint, Venue } from '../venue.ts';

const info = (weight: number, extraWeight?: Endpoint['extraWeight']): Endpoint => ({
  method: 'publicPostInfo',
  weight,
  ...(extraWeight && { extraWeight }),
});

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
export const HYPERLIQUID = {
  state: info(2),
  role: info(60),
  agents: info(20),
  /** One more for each 20 rows of the answer. */
  fills: info(20, (answer) => (Array.isArray(answer) ? Math.ceil(answer.length / 20) : 0)),
} as const;

export const hyperliquidLimits: Venue['limits'] = {
  // Verifying an account costs up to 142 at once, and somebody waits for it.
  venue: { weight: 1_200, windowMs: 60_000, burst: 0.6 },
  // None is documented for reads of one address.
  account: { weight: 1_200, windowMs: 60_000, burst: 0.6 },
};
