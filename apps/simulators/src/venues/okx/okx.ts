import type { WorldAccount } from '../../world/index.ts';
import type { Budget } from '../limits/rate-limiter.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import { getBalance, getConfig, listPositions } from './account.ts';
import { fail, refuse, succeed } from './answers.ts';
import { listInstruments } from './contracts.ts';
import { listPositionsHistory } from './history.ts';

/** Each endpoint documents its own limit: https://www.okx.com/docs-v5/en/#trading-account-rest-api */
const inTwoSeconds = (limit: number): Budget => ({ limit, windowMs: 2000 });

const PUBLIC: Record<string, { budget: Budget; read(request: VenueRequest, now: number): object[] }> = {
  'GET /api/v5/public/time': {
    budget: inTwoSeconds(10),
    read: (_request, now) => [{ ts: String(now) }],
  },
  'GET /api/v5/public/instruments': {
    budget: inTwoSeconds(20),
    read({ params }) {
      const instType = params.get('instType');
      if (!['SPOT', 'MARGIN', 'SWAP', 'FUTURES', 'OPTION'].includes(instType ?? ''))
        throw refuse(51000, 'instType');
      return instType === 'SWAP' ? listInstruments(params.get('instId')) : [];
    },
  },
};

interface Private {
  budget: Budget;
  read(request: VenueRequest, account: WorldAccount, now: number): object[];
}

const PRIVATE: Record<string, Private> = {
  'GET /api/v5/account/config': {
    budget: inTwoSeconds(5),
    read: (_request, account) => [getConfig(account)],
  },
  'GET /api/v5/account/balance': {
    budget: inTwoSeconds(10),
    read: (_request, account, now) => [getBalance(account, now)],
  },
  'GET /api/v5/account/positions': { budget: inTwoSeconds(10), read: listPositions },
  'GET /api/v5/account/positions-history': { budget: inTwoSeconds(10), read: listPositionsHistory },
};

/** OKX, API v5. */
export function createOkx(parts: VenueParts): Venue {
  const { accounts, now, limiter } = parts;

  function answer(request: VenueRequest): ReceivedAnswer {
    const name = `${request.method} ${request.path}`;
    const open = PUBLIC[name];
    if (open) {
      if (!limiter.take(`ip ${request.ip} ${request.path}`, 1, open.budget).isAllowed) return fail(50011);
      return succeed(open.read(request, now()));
    }
    const endpoint = PRIVATE[name];
    if (!endpoint) return { status: 404, body: { msg: 'Not Found', code: '404', data: [] } };
    const account = authenticate(parts, request);
    if (!account.traits.mayReadFutures) throw refuse(50120);
    if (!limiter.take(`uid ${account.accUid} ${request.path}`, 1, endpoint.budget).isAllowed)
      return fail(50011);
    return succeed(endpoint.read(request, account, now()));
  }

  return {
    exchange: 'okx',
    operationOf: ({ path }) => path,
    identify: ({ headers }) => accounts.findByApiKey('okx', headers['ok-access-key'] ?? ''),
    answer,
    refuse(refusal) {
      if (refusal === 'wrong_key') return fail(50111);
      if (refusal === 'ip_refused') return fail(50110);
      if (refusal === 'clock_skew') return fail(50102);
      if (refusal === 'rate_limit') return { ...fail(50011), headers: { 'retry-after': '2' } };
      if (refusal === 'maintenance') return fail(50001);
      return fail(50026);
    },
  };
}

const WINDOW_MS = 30_000;

/** Base64 HMAC of time, method, path with raw query, and body: https://www.okx.com/docs-v5/en/#overview-rest-authentication */
function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, method, path, query, body, ip } = request;
  const apiKey = headers['ok-access-key'];
  const passphrase = headers['ok-access-passphrase'];
  const timestamp = headers['ok-access-timestamp'];
  const signature = headers['ok-access-sign'];
  if (!apiKey) throw refuse(50103);
  if (!passphrase) throw refuse(50104);
  if (!signature) throw refuse(50106);
  if (!timestamp) throw refuse(50107);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp)) throw refuse(50112);
  const account = accounts.findByApiKey('okx', apiKey);
  if (!account) throw refuse(50111);
  // A revoked key gets another code than an unknown one.
  if (account.traits.isRevoked) throw refuse(50119);
  if (!isAllowedFrom(account, ip)) throw refuse(50110);
  if (Math.abs(Date.parse(timestamp) - now()) > WINDOW_MS) throw refuse(50102);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'okx') throw refuse(50111);
  if (!isSame(passphrase, credentials.passphrase)) throw refuse(50105);
  const signed = `${timestamp}${method}${path}${query ? `?${query}` : ''}${body}`;
  if (!isSame(signature, sign(credentials.secretKey, signed, 'base64'))) throw refuse(50113);
  return account;
}
