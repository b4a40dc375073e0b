import type { WorldAccount, WorldAccounts } from '../../world/index.ts';
import type { Budget } from '../limits/rate-limiter.ts';
import type { ReceivedAnswer, Venue, VenueParts, VenueRequest } from '../venue.ts';
import { getDexMeta, getDexState, listPerpDexs } from './dexes.ts';
import { listFillsByTime, listLatestFills } from './fills.ts';
import { getAllMids, getMeta, getMetaAndAssetCtxs } from './market.ts';
import {
  type Question,
  readQuestion,
  typeOf,
  unreadable,
  userOf,
  weightOf,
  weightOfRows,
} from './questions.ts';
import { getClearinghouseState, getSpotState } from './state.ts';

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
const BUDGET: Budget = { limit: 1200, windowMs: 60_000 };

/** Hyperliquid: every request is a POST to /info, and reads need no signature. */
export function createHyperliquid({ accounts, now, limiter }: VenueParts): Venue {
  const find = (address: string) => {
    const found = accounts.findByAddress(address);
    return found?.role === 'account' ? found.account : null;
  };

  const ANSWERS: Record<string, (question: Question) => unknown> = {
    clearinghouseState: ({ user, dex }) =>
      dex === '' ? getClearinghouseState(find(user), now()) : getDexState(find(user), dex, now()),
    spotClearinghouseState: ({ user }) => getSpotState(find(user), now()),
    userAbstraction: ({ user }) => (find(user)?.traits.books === 'unified' ? 'unifiedAccount' : 'default'),
    userRole: ({ user }) => getUserRole(accounts, user),
    extraAgents: ({ user }) => listExtraAgents(accounts, user, now()),
    userFills: ({ user }) => listLatestFills(find(user), now()),
    userFillsByTime: ({ user, startTime, endTime }) =>
      listFillsByTime(find(user), startTime, endTime ?? now(), now()),
    meta: ({ dex }) => (dex === '' ? getMeta() : getDexMeta(dex)),
    metaAndAssetCtxs: () => getMetaAndAssetCtxs(now()),
    allMids: () => getAllMids(now()),
    perpDexs: listPerpDexs,
    exchangeStatus: () => ({ specialStatuses: null, time: now() }),
  };

  function answer(request: VenueRequest): ReceivedAnswer {
    if (request.method !== 'POST' || request.path !== '/info') return { status: 404, text: 'Not Found' };
    const who = `ip ${request.ip}`;
    const type = typeOf(request);
    if (!limiter.take(who, weightOf(type ?? ''), BUDGET).isAllowed) return { status: 429, body: null };
    const answerTo = ANSWERS[type ?? ''];
    if (!answerTo) throw unreadable();
    const answer = answerTo(readQuestion(request));
    if (type?.startsWith('userFills') && Array.isArray(answer))
      limiter.take(who, weightOfRows(answer.length), BUDGET);
    return { status: 200, body: answer };
  }

  /** The answer for an address without an account. */
  function answerToUnknown(type: string | null) {
    if (type === 'extraAgents') return [];
    if (type === 'perpDexs') return listPerpDexs();
    if (type === 'userAbstraction') return 'default';
    return type === 'spotClearinghouseState' ? getSpotState(null, now()) : getClearinghouseState(null, now());
  }

  return {
    exchange: 'hyperliquid',
    operationOf: (request) => (request.path === '/info' ? (typeOf(request) ?? '/info') : request.path),
    identify: (request) => accounts.findByAddress(userOf(request) ?? '')?.account ?? null,
    answer,
    refuse(refusal, request) {
      if (refusal === 'rate_limit') return { status: 429, body: null, headers: { 'retry-after': '10' } };
      if (refusal === 'maintenance') return { status: 503, text: 'Service Unavailable' };
      if (refusal === 'server_error') return { status: 500, body: null };
      // The venue has neither signatures nor address lists, so a wrong key becomes an account that does not exist.
      if (refusal === 'wrong_key')
        return typeOf(request) === 'userRole'
          ? { status: 200, body: { role: 'missing' } }
          : { status: 200, body: answerToUnknown(typeOf(request)) };
      return unreadable().answer;
    },
  };
}

/** Agents act for a main account and all its subaccounts, so a subaccount's agent is that of its main account. */
const ownerOf = ({ traits }: WorldAccount) => traits.mainUid;

/** The role of an address: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint */
function getUserRole(accounts: WorldAccounts, address: string) {
  const found = accounts.findByAddress(address);
  if (!found) return { role: 'missing' };
  const { account, role } = found;
  if (role === 'agent')
    return account.traits.isRevoked
      ? { role: 'missing' }
      : { role: 'agent', data: { user: ownerOf(account) } };
  return role === 'main' || account.accountType === 'master'
    ? { role: 'user' }
    : { role: 'subAccount', data: { master: ownerOf(account) } };
}

/** The named agents of a main account. An agent without a name is not listed. */
function listExtraAgents(accounts: WorldAccounts, address: string, now: number) {
  const found = accounts.findByAddress(address);
  if (!found || found.role === 'agent' || ownerOf(found.account) !== address) return [];
  const { traits } = found.account;
  const credentials = accounts.credentialsOf(found.account);
  if (traits.isRevoked || !traits.isAgentNamed || credentials.exchange !== 'hyperliquid') return [];
  const { agentAddress } = credentials;
  return [{ name: 'copy trading', address: agentAddress.toLowerCase(), validUntil: now + 90 * 86_400_000 }];
}
