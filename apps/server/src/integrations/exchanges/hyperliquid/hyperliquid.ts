import { LRUCache } from 'lru-cache';
import type { Session, Venue } from '../venue.ts';
import {
  accountTypeOf,
  type HyperliquidRole,
  identifyHyperliquid,
  masterAddress,
  readMasterRole,
} from './hyperliquid-account.ts';
import { HYPERLIQUID, hyperliquidLimits } from './hyperliquid-endpoints.ts';
import { hyperliquidErrors } from './hyperliquid-errors.ts';
import { readHyperliquidHistory } from './hyperliquid-history.ts';
import { readHyperliquidEquity, readHyperliquidPositions } from './hyperliquid-state.ts';

const DAY_MS = 86_400_000;

const readState = (session: Session): Promise<unknown> =>
  session.call(HYPERLIQUID.state, { type: 'clearinghouseState', user: masterAddress(session) });

/** Hyperliquid: the perpetuals account of an address. Reads are unsigned questions to one address of the venue. */
export function createHyperliquid(): Venue {
  /** What an address is does not change, and asking costs 30 times an equity. */
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
      equityUsd: async (session) => readHyperliquidEquity(await readState(session)),
      openPositions: async (session) => readHyperliquidPositions(await readState(session)),
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
