import type { WorldAccount } from '../../world/index.ts';
import { integerOf } from '../http/parameters.ts';
import type { Budget } from '../limits/rate-limiter.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import {
  getAccount,
  getAccountConfig,
  getApiRestrictions,
  isPortfolio,
  listAllBalances,
  listBalances,
  listPositionRisk,
  listSymbolConfig,
} from './account.ts';
import { fail, refuse } from './answers.ts';
import { listIncome, listUserTrades } from './history.ts';
import { getExchangeInfo, getPremiumIndex } from './market.ts';

const MINUTE_MS = 60_000;
/** https://developers.binance.com/docs/derivatives/usds-margined-futures/general-info: weight a minute and address */
const BUDGETS = {
  fapi: { limit: 2400, windowMs: MINUTE_MS },
  sapi: { limit: 12_000, windowMs: MINUTE_MS },
} satisfies Record<string, Budget>;
/** An address that continues after the first 429 is banned, for at least 2 minutes. */
const BAN_MS = 2 * MINUTE_MS;
const PATIENCE = 1.1;

interface Endpoint {
  weight: number;
  read(request: VenueRequest, account: WorldAccount, now: number): object;
}

const PUBLIC: Record<string, { weight: number; read(request: VenueRequest, now: number): object }> = {
  'GET /fapi/v1/time': { weight: 1, read: (_request, now) => ({ serverTime: now }) },
  'GET /fapi/v1/exchangeInfo': { weight: 1, read: (_request, now) => getExchangeInfo(now) },
  'GET /fapi/v1/premiumIndex': { weight: 1, read: getPremiumIndex },
};

const PRIVATE: Record<string, Endpoint> = {
  'GET /fapi/v3/account': { weight: 5, read: (_request, account, now) => getAccount(account, now) },
  'GET /fapi/v3/balance': { weight: 5, read: (_request, account, now) => listBalances(account, now) },
  'GET /fapi/v2/balance': { weight: 5, read: (_request, account, now) => listAllBalances(account, now) },
  'GET /fapi/v3/positionRisk': { weight: 5, read: listPositionRisk },
  'GET /fapi/v1/accountConfig': {
    weight: 5,
    read: (_request, account, now) => getAccountConfig(account, now),
  },
  'GET /fapi/v1/symbolConfig': { weight: 5, read: listSymbolConfig },
  'GET /fapi/v1/income': { weight: 30, read: listIncome },
  'GET /fapi/v1/userTrades': { weight: 5, read: listUserTrades },
  'GET /sapi/v1/account/apiRestrictions': {
    weight: 1,
    read: (_request, account) => getApiRestrictions(account),
  },
};

/** Binance USDⓈ-M futures, with the one call about the key from the spot API. */
export function createBinance(parts: VenueParts): Venue {
  const { accounts, now, limiter } = parts;

  const slowDown = (ms: number, status: 418 | 429): ReceivedAnswer => ({
    ...fail(-1003),
    status,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) },
  });

  function answer(request: VenueRequest): ReceivedAnswer {
    const name = `${request.method} ${request.path}`;
    const endpoint = PUBLIC[name] ?? PRIVATE[name];
    const pool = request.path.startsWith('/sapi/') ? 'sapi' : 'fapi';
    const from = `${pool} ${request.ip}`;
    const banMs = limiter.bannedForMs(from);
    if (banMs > 0) return slowDown(banMs, 418);
    const spent = limiter.take(from, endpoint?.weight ?? 1, BUDGETS[pool]);
    const usedHeader = pool === 'fapi' ? 'x-mbx-used-weight-1m' : 'x-sapi-used-ip-weight-1m';
    const headers = { [usedHeader]: String(spent.used) };
    if (!spent.isAllowed) {
      if (spent.used > spent.limit * PATIENCE) limiter.ban(from, BAN_MS);
      const refusal = slowDown(spent.resetMs, 429);
      return { ...refusal, headers: { ...refusal.headers, ...headers } };
    }
    return { status: 200, body: read(name, request), headers };
  }

  function read(name: string, request: VenueRequest): object {
    const open = PUBLIC[name];
    if (open) return open.read(request, now());
    const endpoint = PRIVATE[name];
    if (!endpoint) throw refuse(-5000);
    const account = authenticate(parts, request);
    const mayRead = account.traits.mayReadFutures && !isPortfolio(account);
    if (!mayRead && request.path.startsWith('/fapi/')) throw refuse(-2015);
    return endpoint.read(request, account, now());
  }

  return {
    exchange: 'binance',
    operationOf: ({ path }) => path,
    identify: ({ headers }) => accounts.findByApiKey('binance', headers['x-mbx-apikey'] ?? ''),
    answer,
    refuse(refusal) {
      if (refusal === 'wrong_key' || refusal === 'ip_refused') return fail(-2015);
      if (refusal === 'clock_skew') return fail(-1021);
      if (refusal === 'rate_limit') return slowDown(3000, 429);
      if (refusal === 'maintenance') return { status: 503, text: 'Service Unavailable: system maintenance' };
      return fail(-1000);
    },
  };
}

const RECV_WINDOW_MS = 5000;
const RECV_WINDOW_MS_AT_MOST = 60_000;

/**
 * Hex HMAC of the raw query up to `&signature=`, and of the body:
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/general-info The same code refuses a key that
 * is unknown, revoked, used from another address or not allowed to do this.
 */
function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, params, query, body, ip } = request;
  const apiKey = headers['x-mbx-apikey'] ?? '';
  if (!/^[A-Za-z0-9]{64}$/.test(apiKey)) throw refuse(-2014);
  const sentAt = integerOf(params, 'timestamp');
  const recvWindow = integerOf(params, 'recvWindow') ?? RECV_WINDOW_MS;
  const given = params.get('signature');
  if (typeof sentAt !== 'number') throw refuse(-1102, 'timestamp');
  if (!given) throw refuse(-1102, 'signature');
  if (recvWindow > RECV_WINDOW_MS_AT_MOST) throw refuse(-1130, 'recvWindow');
  const account = accounts.findByApiKey('binance', apiKey);
  if (!account || account.traits.isRevoked || !isAllowedFrom(account, ip)) throw refuse(-2015);
  const at = now();
  if (sentAt >= at + 1000 || at - sentAt > recvWindow) throw refuse(-1021);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'binance') throw refuse(-2015);
  const signed = query.replace(/&signature=[^&]*$/, '') + body;
  if (!isSame(given, sign(credentials.secretKey, signed, 'hex'))) throw refuse(-1022);
  return account;
}
