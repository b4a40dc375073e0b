import type { WorldAccount } from '../../world/index.ts';
import type { Budget, Spent } from '../limits/rate-limiter.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import { getAccountMode, getAccountOverview, getApiKeyInfo, listPositions } from './account.ts';
import { fail, refuse, succeed } from './answers.ts';
import { authenticate } from './authenticate.ts';
import { findMarkPrice, listContracts } from './contracts.ts';
import { listHistoryPositions } from './history.ts';

/** https://www.kucoin.com/docs-new/rate-limit: weight in 30 seconds, by user or for public calls by address, VIP 0 */
const BUDGET: Budget = { limit: 2000, windowMs: 30_000 };

const PUBLIC: Record<string, { weight: number; read(now: number): unknown }> = {
  'GET /api/v1/timestamp': { weight: 2, read: (now) => now },
  'GET /api/v1/contracts/active': { weight: 3, read: listContracts },
};

const MARK_PRICE = /^GET \/api\/v1\/mark-price\/([A-Z]+)\/current$/;

interface Private {
  pool: 'futures' | 'management';
  weight: number;
  read(request: VenueRequest, account: WorldAccount, now: number): unknown;
}

const PRIVATE: Record<string, Private> = {
  'GET /api/v1/account-overview': { pool: 'futures', weight: 5, read: getAccountOverview },
  'GET /api/v1/positions': { pool: 'futures', weight: 2, read: listPositions },
  'GET /api/v1/history-positions': { pool: 'futures', weight: 2, read: listHistoryPositions },
  'GET /api/ua/v1/account/mode': {
    pool: 'management',
    weight: 30,
    read: (_request, account) => getAccountMode(account),
  },
  'GET /api/v1/user/api-key': {
    pool: 'management',
    weight: 20,
    read: ({ headers }, account) => getApiKeyInfo(account, headers['kc-api-key'] ?? ''),
  },
};

/** KuCoin futures, and the one call about the key that belongs to the spot host. */
export function createKucoin(parts: VenueParts): Venue {
  const { accounts, now, limiter } = parts;

  function metered(spent: Spent, read: () => unknown): ReceivedAnswer {
    return { ...(spent.isAllowed ? succeed(read()) : fail(429000)), headers: limitHeaders(spent) };
  }

  function answer(request: VenueRequest): ReceivedAnswer {
    const name = `${request.method} ${request.path}`;
    const open = PUBLIC[name];
    if (open) return metered(limiter.take(`ip ${request.ip}`, open.weight, BUDGET), () => open.read(now()));
    const marked = MARK_PRICE.exec(name)?.[1];
    if (marked !== undefined) {
      const price = findMarkPrice(marked, now());
      return price
        ? metered(limiter.take(`ip ${request.ip}`, 3, BUDGET), () => price)
        : fail(400100, 'symbol');
    }
    const endpoint = PRIVATE[name];
    if (!endpoint) return fail(404000);
    const account = authenticate(parts, request);
    if (!account.traits.mayReadFutures && endpoint.pool === 'futures') throw refuse(400007);
    const spent = limiter.take(`${endpoint.pool} ${account.accUid}`, endpoint.weight, BUDGET);
    return metered(spent, () => endpoint.read(request, account, now()));
  }

  return {
    exchange: 'kucoin',
    operationOf: ({ path }) => path,
    identify: ({ headers }) => accounts.findByApiKey('kucoin', headers['kc-api-key'] ?? ''),
    answer,
    refuse(refusal) {
      if (refusal === 'wrong_key') return fail(400003);
      if (refusal === 'ip_refused') return fail(400006);
      if (refusal === 'clock_skew') return fail(400002);
      if (refusal === 'rate_limit') {
        const spent = { isAllowed: false, used: BUDGET.limit, limit: BUDGET.limit, resetMs: 3000 };
        return { ...fail(429000), headers: { ...limitHeaders(spent), 'retry-after': '3' } };
      }
      return fail(refusal === 'maintenance' ? 503000 : 500000);
    },
  };
}

function limitHeaders({ limit, used, resetMs }: Spent): Record<string, string> {
  return {
    'gw-ratelimit-limit': String(limit),
    'gw-ratelimit-remaining': String(Math.max(0, limit - used)),
    'gw-ratelimit-reset': String(resetMs),
  };
}
