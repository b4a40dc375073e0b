import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { EXCHANGE_PROBLEMS, type ExchangeProblem } from '@copydesk/domain/trading';
import { equityAt, openPositionsAt } from '@copydesk/simulators/world';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isLong } from '../../../../../../tests/support/long-test.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';

let venues: TestVenues;
let product: TestApp;
let token: string;
/** A trader that has one account on every exchange. */
let traderId: string;
let accounts: Record<Exchange, string>;

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({
    scale: 0.1,
    seededAt,
    env: { ...venues.env, EXCHANGE_TIMEOUT_MS: '6000' },
  });
  token = await product.signIn('super');
  traderId = await gatherAccounts();
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});
beforeEach(async () => {
  for (const exchange of EXCHANGES) {
    venues.of[exchange].faults.clear();
    venues.of[exchange].requests.reset();
  }
  await product.resetExchanges();
});

/** Gives one readable account of each exchange, with positions, to one trader. */
async function gatherAccounts(): Promise<string> {
  const [trader] = await asOwner<{ id: string }>(
    product.ownerUrl,
    'SELECT id FROM trader WHERE account_count = 0 ORDER BY id LIMIT 1',
  );
  const id = trader?.id ?? '';
  accounts = Object.fromEntries(
    EXCHANGES.map((exchange) => {
      const chosen = venues.accounts
        .list(exchange)
        .find(
          (account) =>
            account.spareName === null &&
            Number(account.equity) > 0 &&
            !account.traits.isRevoked &&
            (account.traits.ipWhitelist.length === 0 || account.traits.ipWhitelist.includes('127.0.0.1')) &&
            openPositionsAt(account, Date.now()).length > 0,
        );
      return [exchange, chosen?.accUid ?? ''];
    }),
  ) as Record<Exchange, string>;
  for (const [exchange, accUid] of Object.entries(accounts))
    await asOwner(
      product.ownerUrl,
      'UPDATE exchange_account SET trader_id = $1 WHERE exchange = $2 AND acc_uid = $3',
      [id, exchange, accUid],
    );
  return id;
}

const call = (key: string, query: Record<string, string> = {}, params: Record<string, string> = {}) =>
  send(product.app, key, { params: { id: traderId, ...params }, query }, token);
const balances = async () =>
  (await call('GET /api/exchanges/trader/{id}/balances')).json().data as Record<
    string,
    { exchange: Exchange; balance: string | null; error: { code: ExchangeProblem; message: string } | null }
  >;
const world = (exchange: Exchange) => {
  const account = venues.accounts.list(exchange).find(({ accUid }) => accUid === accounts[exchange]);
  if (!account) throw new Error('no such account');
  return account;
};

/** Keys, secrets and passphrases, and a word of every exchange's own error texts. */
function forbidden(): string[] {
  return EXCHANGES.flatMap((exchange) => {
    const credentials = venues.accounts.credentialsOf(world(exchange));
    return credentials.exchange === 'hyperliquid'
      ? [credentials.agentPrivateKey]
      : [
          credentials.apiKey,
          credentials.secretKey,
          ...('passphrase' in credentials ? [credentials.passphrase] : []),
        ];
  });
}

test('balances, positions and keys of all five exchanges match the exchanges', async () => {
  const read = await balances();
  for (const exchange of EXCHANGES) {
    const entry = read[accounts[exchange]];
    expect(entry, exchange).toMatchObject({ exchange, error: null });
    const wanted = equityAt(world(exchange), Date.now());
    expect(Math.abs(Number(entry?.balance) - wanted), exchange).toBeLessThan(5 + wanted * 0.02);
  }
  const { data, meta } = (await call('GET /api/traders/{id}/positions')).json();
  expect(meta.accounts.map((account: { error: unknown }) => account.error)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  for (const exchange of EXCHANGES) {
    const open = openPositionsAt(world(exchange), Date.now());
    const told = data.filter((position: { exchange: Exchange }) => position.exchange === exchange);
    expect(
      told.map(({ symbol, side }: { symbol: string; side: string }) => `${symbol} ${side}`).sort(),
      exchange,
    ).toEqual(open.map(({ symbol, side }) => `${symbol} ${side}`).sort());
    const one = await call(
      'GET /api/exchanges/{exchange}/{id}/positions',
      { acc_uid: accounts[exchange] },
      { exchange },
    );
    expect(one.json().data).toHaveLength(told.length);
  }
  const keys = (await call('GET /api/traders/{id}/ip-whitelist')).json().data as {
    exchange: Exchange;
    isSupported: boolean;
    ips: string[] | null;
    isRestricted: boolean | null;
  }[];
  const of = (exchange: Exchange) => keys.find((key) => key.exchange === exchange);
  expect(of('hyperliquid')).toMatchObject({ isSupported: false, error: null });
  // Binance says whether there is a list, and keeps the list to itself.
  const isRestricted = world('binance').traits.ipWhitelist.length > 0;
  expect(of('binance')).toMatchObject({ isSupported: true, isRestricted, ips: isRestricted ? null : [] });
  for (const exchange of ['bybit', 'okx', 'kucoin'] as const)
    expect([...(of(exchange)?.ips ?? [])].filter((ip) => ip !== '*').sort(), exchange).toEqual(
      [...world(exchange).traits.ipWhitelist].sort(),
    );
});

const FAULTS: [fault: Parameters<TestVenues['of']['bybit']['faults']['set']>[0], codes: ExchangeProblem[]][] =
  [
    [{ kind: 'rate_limit' }, ['rate_limited']],
    [{ kind: 'server_error' }, ['venue_unavailable']],
    [{ kind: 'timeout' }, ['timeout']],
    [{ kind: 'cut' }, ['venue_unavailable', 'bad_response']],
    [{ kind: 'wrong_key' }, ['invalid_credentials', 'credentials_or_ip']],
    [{ kind: 'ip_refused' }, ['ip_not_allowed', 'credentials_or_ip']],
    [{ kind: 'maintenance' }, ['venue_unavailable']],
    [{ kind: 'malformed' }, ['bad_response']],
    [{ kind: 'clock_skew' }, ['clock_skew']],
  ];

test.each(
  EXCHANGES.flatMap((exchange) =>
    FAULTS.map(([fault, codes]) => ({ exchange, kind: fault.kind, fault, codes })).filter(
      // Each takes twice the limit of an answer.
      ({ kind }) => kind !== 'timeout' || isLong,
    ),
  ),
)(
  '$exchange with $kind fails on its own card, in our words, and is not stormed',
  async ({ exchange, fault, codes }) => {
    const keyed = !['wrong_key', 'ip_refused', 'clock_skew'].includes(fault.kind);
    if (exchange === 'hyperliquid' && !keyed) return; // its reads carry no key
    venues.of[exchange].faults.set(fault);
    const answers = await Promise.all([balances(), balances(), balances(), balances()]);
    for (const read of answers) {
      for (const other of EXCHANGES.filter((name) => name !== exchange))
        expect(read[accounts[other]]?.error, other).toBeNull();
      const failed = read[accounts[exchange]];
      expect(codes, JSON.stringify(failed)).toContain(failed?.error?.code);
      expect(failed?.error?.message).toBe(EXCHANGE_PROBLEMS[failed?.error?.code as ExchangeProblem]);
      expect(Number(failed?.balance)).toBeGreaterThan(0); // the last known figure stays, with its age
      const text = JSON.stringify(read) + product.logged.join('');
      for (const secret of forbidden()) expect(text).not.toContain(secret);
    }
    // Four people asked: no more questions than people, each sent once more at most, when its connection was reset.
    const asked = venues.of[exchange].requests.list().length;
    expect(asked).toBeLessThanOrEqual(2 * (exchange === 'kucoin' ? 12 : 4));
    const positions = await call(
      'GET /api/exchanges/{exchange}/{id}/positions',
      { acc_uid: accounts[exchange] },
      { exchange },
    );
    expect(positions.statusCode).toBe(200);
    expect(positions.json()).toMatchObject({ success: true, data: [] });
    expect(positions.json().meta.error).not.toBeNull();
  },
);

test('five accounts are read as fast as the slowest answers, and fifty questions are one', async () => {
  for (const exchange of EXCHANGES) await balances().then(() => exchange); // loaded
  await product.resetExchanges();
  await call('GET /api/traders/{id}/positions');
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const exchange of EXCHANGES) {
    venues.of[exchange].requests.reset();
    venues.of[exchange].faults.set({ kind: 'latency', ms: exchange === 'okx' ? 300 : 30 });
  }
  await product.resetExchanges();
  await Promise.all(Array.from({ length: 50 }, () => call('GET /api/traders/{id}/positions')));
  const counts = EXCHANGES.map((exchange) => venues.of[exchange].requests.list().length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(6);
});
