import type { WorldAccount } from '../../world/index.ts';
import type { Budget, Spent } from '../limits/rate-limiter.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import { getAccountMode, getAccountOverview, getApiKeyInfo, listPositions } from './account.ts';
import { fail, refuse, succeed } from './answers.ts';
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

const WINDOW_MS = 5000;

/**
 * Base64 HMAC of time, method, path with raw query, and body; from key version 2 the passphrase is sent as an HMAC:
 * https://www.kucoin.com/docs-new/authentication
 */
function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, method, path, query, body, ip } = request;
  const apiKey = headers['kc-api-key'];
  const passphrase = headers['kc-api-passphrase'];
  const timestamp = headers['kc-api-timestamp'];
  const signature = headers['kc-api-sign'];
  if (!apiKey || !passphrase || !timestamp || !signature) throw refuse(400001);
  const account = accounts.findByApiKey('kucoin', apiKey);
  if (!account || account.traits.isRevoked) throw refuse(400003);
  if (!isAllowedFrom(account, ip)) throw refuse(400006, `current ip: ${ip}`);
  if (!/^\d{13}$/.test(timestamp) || Math.abs(Number(timestamp) - now()) > WINDOW_MS) throw refuse(400002);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'kucoin') throw refuse(400003);
  const wanted = ['2', '3'].includes(headers['kc-api-key-version'] ?? '')
    ? sign(credentials.secretKey, credentials.passphrase, 'base64')
    : null;
  if (wanted === null || !isSame(passphrase, wanted)) throw refuse(400004);
  const signed = `${timestamp}${method}${path}${query ? `?${query}` : ''}${body}`;
  if (!isSame(signature, sign(credentials.secretKey, signed, 'base64'))) throw refuse(400005);
  return account;
}
