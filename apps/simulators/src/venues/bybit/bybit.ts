import type { SimulatedPools } from '../../pools/create-pools.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import type { WorldAccount, WorldAccounts } from '../../world/index.ts';
import type { Budget, Spent } from '../limits/rate-limiter.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import { getAccountInfo, getApiKeyInfo, getWalletBalance } from './account.ts';
import { fail, forbidden, refuse, succeed } from './answers.ts';
import { authenticate, type KeyHolder } from './authenticate.ts';
import { getTime, listInstruments, listTickers } from './market.ts';
import { createPoolCalls } from './pools/pool-calls.ts';
import { listClosedPnl, listPositions } from './positions.ts';

/** https://bybit-exchange.github.io/docs/v5/rate-limit: above it the address waits 10 minutes. */
const ADDRESS: Budget = { limit: 600, windowMs: 5000 };
const ADDRESS_BAN_MS = 10 * 60_000;
const perSecond = (limit: number): Budget => ({ limit, windowMs: 1000 });

const KEY_INFO = '/v5/user/query-api';

const PUBLIC: Record<string, (request: VenueRequest, now: number) => object> = {
  'GET /v5/market/time': (_request, now) => getTime(now),
  'GET /v5/market/instruments-info': listInstruments,
  'GET /v5/market/tickers': listTickers,
};

interface Private {
  budget: Budget;
  read(request: VenueRequest, account: WorldAccount, now: number): object;
}

const PRIVATE: Record<string, Private> = {
  'GET /v5/account/wallet-balance': { budget: perSecond(50), read: getWalletBalance },
  'GET /v5/account/info': {
    budget: perSecond(50),
    read: (_request, account, now) => getAccountInfo(account, now),
  },
  'GET /v5/position/list': { budget: perSecond(50), read: listPositions },
  'GET /v5/position/closed-pnl': { budget: perSecond(50), read: listClosedPnl },
  [`GET ${KEY_INFO}`]: {
    budget: perSecond(10),
    read: ({ headers }, account, now) => getApiKeyInfo(account, headers['x-bapi-api-key'] ?? '', now),
  },
};

/** Bybit, API v5. */
export function createBybit(parts: VenueParts): Venue {
  const { accounts, now, limiter, pools } = parts;
  const find = createBybitAccounts(accounts, pools);
  const poolCalls = pools ? createPoolCalls(pools) : {};

  /** The handler of a call for this account; throws for a call that its key may not use. */
  function openCall(
    name: string,
    request: VenueRequest,
    found: BybitAccount,
  ): { budget: Budget; read: () => object } {
    if (found.kind === 'pool') {
      const call = poolCalls[name];
      if (!call) throw refuse(10017, now());
      return { budget: call.budget, read: () => call.answer(request, found.pool, now()) };
    }
    const call = PRIVATE[name];
    if (!call) throw refuse(10017, now());
    // Any key may read its own information.
    if (!found.account.traits.mayReadFutures && request.path !== KEY_INFO) throw refuse(10005, now());
    return { budget: call.budget, read: () => call.read(request, found.account, now()) };
  }

  function answer(request: VenueRequest): ReceivedAnswer {
    const from = `ip ${request.ip}`;
    if (limiter.bannedForMs(from) > 0) return forbidden();
    if (!limiter.take(from, 1, ADDRESS).isAllowed) {
      limiter.ban(from, ADDRESS_BAN_MS);
      return forbidden();
    }
    const name = `${request.method} ${request.path}`;
    const open = PUBLIC[name];
    if (open) return succeed(open(request, now()), now());
    if (!PRIVATE[name] && !poolCalls[name]) throw refuse(10017, now());
    const account = authenticate(find, request, now());
    const { budget, read } = openCall(name, request, account);
    const spent = limiter.take(`uid ${account.uid} ${request.path}`, 1, budget);
    const response = spent.isAllowed ? succeed(read(), now()) : fail(10006, now());
    return { ...response, headers: limitHeaders(spent, now()) };
  }

  return {
    exchange: 'bybit',
    operationOf: ({ path }) => path,
    identify({ headers }) {
      const found = find(headers['x-bapi-api-key'] ?? '');
      return found && { id: found.id, accUid: found.uid };
    },
    answer,
    refuse(refusal) {
      if (refusal === 'wrong_key') return fail(10003, now());
      if (refusal === 'ip_refused') return fail(10010, now());
      if (refusal === 'clock_skew') return fail(10002, now());
      if (refusal === 'rate_limit')
        return { ...fail(10006, now()), status: 429, headers: { 'retry-after': '1' } };
      if (refusal === 'maintenance') return { status: 503, text: 'The service is under maintenance.' };
      return { ...fail(10016, now()), status: 500 };
    },
  };
}

function limitHeaders({ limit, used, resetMs }: Spent, now: number): Record<string, string> {
  return {
    'x-bapi-limit': String(limit),
    'x-bapi-limit-status': String(Math.max(0, limit - used)),
    'x-bapi-limit-reset-timestamp': String(now + resetMs),
  };
}

/** The account behind a key: a trader's, or a pool's. */
type BybitAccount = KeyHolder & { uid: string; id: string } & (
    | { kind: 'trader'; account: WorldAccount }
    | { kind: 'pool'; pool: PoolState }
  );

/** Finds accounts by their API key. */
function createBybitAccounts(
  accounts: WorldAccounts,
  pools: SimulatedPools | undefined,
): (apiKey: string) => BybitAccount | null {
  return (apiKey) => {
    const pool = pools?.findByApiKey(apiKey);
    if (pool) {
      const { uid, secretKey, ips } = pool;
      return { kind: 'pool', pool, uid, id: `pool ${uid}`, secretKey, ips, isRevoked: false };
    }
    const account = accounts.findByApiKey('bybit', apiKey);
    const credentials = account && accounts.credentialsOf(account);
    if (!account || credentials?.exchange !== 'bybit') return null;
    const { accUid: uid, id, traits } = account;
    const { secretKey } = credentials;
    return {
      kind: 'trader',
      account,
      uid,
      id,
      secretKey,
      ips: traits.ipWhitelist,
      isRevoked: traits.isRevoked,
    };
  };
}
