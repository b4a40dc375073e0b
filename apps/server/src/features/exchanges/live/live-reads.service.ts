import type { CallAnswer } from '@copydesk/contract';
import type { OpenPosition as WirePosition } from '@copydesk/contract/exchanges';
import type { Scope } from '@copydesk/domain/access';
import type { Exchange } from '@copydesk/domain/catalogue';
import { type AccountType, EXCHANGE_PROBLEMS, type ExchangeProblem } from '@copydesk/domain/trading';
import { failureOf } from '../../../core/exchanges/gateway-failure.ts';
import type {
  ExchangeAccount,
  ExchangeGateway,
  KeyInfo,
  OpenPositions,
  ReadOptions,
} from '../../../integrations/exchanges/gateway.ts';
import type { Database } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { type AccountRow, findAccounts } from '../connections/exchange-accounts.views.ts';
import * as credentials from '../credentials/credentials.store.ts';
import { readableAccount } from '../reading/readable-account.ts';

export interface LiveReadDeps {
  db: Database;
  gateway: ExchangeGateway;
  keyring: Keyring;
  now: () => Date;
}

type Balances = CallAnswer<'GET /api/exchanges/trader/{id}/balances'>['data'];
type Whitelists = CallAnswer<'GET /api/traders/{id}/ip-whitelist'>['data'];
type Problem = NonNullable<Balances[string]['error']>;
type Read<T> = { value: T; error: null } | { value: null; error: Problem };

/** An operator waits, so these go before background reads. */
const LIVE: ReadOptions = { priority: 'interactive' };

/** USD equity of each account by its uid. An account that cannot be read has its last known figure and the reason. */
export async function readBalances(deps: LiveReadDeps, scope: Scope, traderId: string): Promise<Balances> {
  const readings = await readEach(deps, scope, traderId, (account) => deps.gateway.equity(account, LIVE));
  const balances: Balances = {};
  for (const { account, read } of readings) {
    // A uid is unique only within an exchange: two exchanges may use the same.
    const key = account.acc_uid in balances ? `${account.exchange}:${account.acc_uid}` : account.acc_uid;
    balances[key] = {
      ...named(account),
      balance: read.value?.equityUsd ?? account.equity,
      read_at: read.value ? isoTime(read.value.readAt) : account.equity_read_at,
      error: read.error,
    };
  }
  return balances;
}

/** Open positions of all accounts, with the status of each account. */
export async function readAllPositions(deps: LiveReadDeps, scope: Scope, traderId: string) {
  const readings = await readEach(deps, scope, traderId, (account) =>
    deps.gateway.openPositions(account, LIVE),
  );
  return {
    data: readings.flatMap(({ account, read }) => wirePositions(account, read.value)),
    meta: {
      accounts: readings.map(({ account, read }) => ({
        ...named(account),
        read_at: read.value ? isoTime(read.value.readAt) : null,
        error: read.error,
      })),
    },
  };
}

/** Open positions of one account; a failing exchange returns none, with the reason. */
export async function readPositions(
  deps: LiveReadDeps,
  scope: Scope,
  traderId: string,
  name: { exchange: Exchange; acc_uid: string },
) {
  const only = (account: AccountRow) =>
    account.exchange === name.exchange && account.acc_uid === name.acc_uid;
  const [reading] = await readEach(deps, scope, traderId, (a) => deps.gateway.openPositions(a, LIVE), only);
  if (!reading) throw new Refusal('not_found');
  const { account, read } = reading;
  return {
    data: wirePositions(account, read.value),
    meta: { read_at: read.value ? isoTime(read.value.readAt) : null, error: read.error },
  };
}

/** The permissions and whitelists of a trader's keys, from the exchanges. */
export async function readWhitelists(
  deps: LiveReadDeps,
  scope: Scope,
  traderId: string,
): Promise<Whitelists> {
  const readings = await readEach(deps, scope, traderId, (readable, { exchange, account_type }) =>
    exchange === 'hyperliquid' ? withoutKeys(account_type, deps.now()) : deps.gateway.keyInfo(readable, LIVE),
  );
  return readings.map(({ account, read }) => ({
    exchange: account.exchange,
    accUid: account.acc_uid,
    isSupported: read.value?.isSupported ?? true,
    isRestricted: read.value?.isRestricted ?? null,
    ips: read.value?.ips ?? null,
    accountType: read.value?.accountType ?? account.account_type,
    read_at: read.value ? isoTime(read.value.readAt) : null,
    error: read.error,
  }));
}

/** Hyperliquid has no API keys, and reading the type of an address would cost a twentieth of its limit per minute. */
async function withoutKeys(accountType: AccountType | null, at: Date): Promise<KeyInfo> {
  return { isSupported: false, isRestricted: null, ips: null, accountType, readAt: at.getTime() };
}

/** Reads all accounts of a trader at once. A failing exchange affects only its own account. */
async function readEach<T>(
  { db, keyring }: LiveReadDeps,
  scope: Scope,
  traderId: string,
  work: (readable: ExchangeAccount, account: AccountRow) => Promise<T>,
  isWanted: (account: AccountRow) => boolean = () => true,
): Promise<{ account: AccountRow; read: Read<T> }[]> {
  const { accounts, secrets } = await db.read(scope, async (tx) => {
    const all = await findAccounts(tx, traderId);
    if (!all) throw new Refusal('not_found');
    const accounts = all.filter(isWanted);
    return {
      accounts,
      secrets: await credentials.listCredentials(
        tx,
        accounts.map(({ id }) => id),
      ),
    };
  });
  return Promise.all(
    accounts.map(async (account) => {
      const readable = readableAccount(keyring, account, secrets);
      if (!readable) return { account, read: failed('invalid_credentials') };
      const read = await work(readable, account).then(
        (value): Read<T> => ({ value, error: null }),
        (error: unknown) => {
          const { code, isRetryable, retryAfterMs } = failureOf(error);
          return failed(code, isRetryable, retryAfterMs);
        },
      );
      return { account, read };
    }),
  );
}

function failed(code: ExchangeProblem, retryable = false, retryAfterMs: number | null = null) {
  return {
    value: null,
    error: { code, message: EXCHANGE_PROBLEMS[code], retryable, retry_after_ms: retryAfterMs },
  };
}

function named({ acc_uid, exchange, provider_id, provider_name }: AccountRow) {
  return { acc_uid, exchange, provider_id, provider_name };
}

function wirePositions(account: AccountRow, read: OpenPositions | null): WirePosition[] {
  return (read?.positions ?? []).map((position) => ({
    symbol: position.symbol,
    side: position.side,
    entryPrice: position.entryPrice,
    markPrice: position.markPrice,
    leverage: position.leverage,
    contracts: position.contracts,
    unrealizedPnl: position.unrealizedPnl,
    exchange: account.exchange,
    provider_name: account.provider_name,
    acc_uid: account.acc_uid,
    read_at: isoTime(read?.readAt ?? 0),
  }));
}

const isoTime = (ms: number) => new Date(ms).toISOString();
