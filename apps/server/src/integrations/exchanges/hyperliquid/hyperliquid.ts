import { LRUCache } from 'lru-cache';
import { retryAfterHeader } from '../errors/retry-after.ts';
import type { VenueErrors } from '../errors/venue-errors.ts';
import type { Session, Venue } from '../venue.ts';
import {
  accountTypeOf,
  type HyperliquidRole,
  identifyHyperliquid,
  masterAddress,
  readMasterRole,
} from './hyperliquid-account.ts';
import { createHyperliquidDexes } from './hyperliquid-dexes.ts';
import { HYPERLIQUID, hyperliquidLimits } from './hyperliquid-endpoints.ts';
import { readHyperliquidEquityUsd } from './hyperliquid-equity.ts';
import { readHyperliquidHistory } from './hyperliquid-history.ts';
import { hyperliquidPositions } from './hyperliquid-state.ts';

const DAY_MS = 86_400_000;

/**
 * Hyperliquid: the perpetuals account of an address, on the venue's own dex and those of HIP-3. Reads are unsigned
 * requests to one URL of the venue.
 */
export function createHyperliquid(): Venue {
  const dexes = createHyperliquidDexes();
  /** The role of an address does not change, and reading it costs 30 times an equity. */
  const roles = new LRUCache<string, { role: HyperliquidRole; readAt: number }>({ max: 10_000 });

  async function findRole(session: Session): Promise<HyperliquidRole> {
    const address = masterAddress(session);
    const known = roles.get(address);
    if (known && session.now() - known.readAt < DAY_MS) return known.role;
    const role = await readMasterRole(session);
    roles.set(address, { role, readAt: session.now() });
    return role;
  }

  return {
    endpoints: HYPERLIQUID,
    errors: hyperliquidErrors,
    limits: hyperliquidLimits,
    isAllowed: (method, pathname) => method === 'POST' && pathname === '/info',
    reader: {
      identify: identifyHyperliquid,
      equityUsd: (session) => readHyperliquidEquityUsd(session, dexes),
      openPositions: async (session) =>
        (await dexes.readStates(session)).flatMap(({ state, collateral }) =>
          hyperliquidPositions(state, collateral),
        ),
      closedPositions: readHyperliquidHistory,
      keyInfo: async (session) => ({
        isSupported: false,
        isRestricted: null,
        ips: null,
        accountType: accountTypeOf(await findRole(session)),
      }),
    },
  };
}

/**
 * Answers of /info carry no codes: the status is all there is.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits
 */
export const hyperliquidErrors: VenueErrors = {
  codeOf: () => null,
  codes: {},
  // 422: it could not parse our request.
  statuses: { 400: 'bad_response', 404: 'bad_response', 422: 'bad_response' },
  retryAfterMs: (answer) => retryAfterHeader(answer) ?? 10_000,
  isAccountLimit: () => false,
};
