import { expect, test } from 'vitest';
import { createHandMovedClock } from '../../../../../tests/support/exchanges/hand-moved-clock.ts';
import {
  CREDENTIALS,
  type Reply,
  type SentRequest,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../tests/support/exchanges/loopback-venue.ts';
import { createExchangeGateway } from './create-gateway.ts';
import type { VenueSettings } from './gateway.ts';

const INTERACTIVE = { priority: 'interactive' } as const;
const BACKGROUND = { priority: 'background' } as const;
const BALANCE: Reply = { body: { retCode: 0, result: { list: [{ totalEquity: '10' }] } } };
const KEY_INFO: Reply = {
  body: {
    retCode: 0,
    result: { userID: 7, isMaster: true, ips: ['*'], permissions: { Wallet: ['AccountTransfer'] } },
  },
};

async function setUp(
  respond: (request: SentRequest, nth: number) => Reply,
  settings: Partial<VenueSettings> = {},
) {
  const venue = await startLoopbackVenue(respond);
  const clock = createHandMovedClock(Date.now());
  const gateway = createExchangeGateway(settingsAt(venue.url, settings), { now: clock.now, clock });
  return {
    ...venue,
    clock,
    gateway,
    account: (key: string) => ({ key, credentials: CREDENTIALS.bybit }),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await venue[Symbol.asyncDispose]();
    },
  };
}

test('an equity is read once in 30 s, and carries its time', async () => {
  await using venue = await setUp(() => BALANCE);
  const first = await venue.gateway.equity(venue.account('a'), INTERACTIVE);
  await venue.clock.move(29_000);
  expect(await venue.gateway.equity(venue.account('a'), BACKGROUND)).toEqual(first);
  expect(venue.requests).toHaveLength(1);
  const anew = await venue.gateway.equity(venue.account('a'), { ...INTERACTIVE, maxAgeMs: 10_000 });
  expect(anew.readAt - first.readAt).toBe(29_000);
  expect(venue.requests).toHaveLength(2);
});

test('a refused key is not retried', async () => {
  await using venue = await setUp(() => ({ body: { retCode: 10003, retMsg: 'no' } }));
  const read = () => venue.gateway.equity(venue.account('a'), { ...INTERACTIVE, maxAgeMs: 0 });
  for (let n = 0; n < 20; n++) await expect(read()).rejects.toThrow('invalid_credentials');
  expect(venue.requests).toHaveLength(1);
  await venue.clock.move(10_000);
  await expect(read()).rejects.toThrow('invalid_credentials');
  expect(venue.requests).toHaveLength(2);
});

test('new credentials of the same account are used at once, and sign with their own key', async () => {
  await using venue = await setUp(({ headers }) =>
    headers['x-bapi-api-key'] === 'new' ? BALANCE : { body: { retCode: 10003, retMsg: 'no' } },
  );
  await expect(venue.gateway.equity(venue.account('a'), INTERACTIVE)).rejects.toThrow();
  const account = { key: 'a', credentials: { ...CREDENTIALS.bybit, apiKey: 'new' } };
  expect(await venue.gateway.equity(account, INTERACTIVE)).toMatchObject({ equityUsd: '10' });
});

test('nothing of a forgotten account stays cached', async () => {
  await using venue = await setUp(() => BALANCE);
  await venue.gateway.equity(venue.account('a'), INTERACTIVE);
  await venue.gateway.equity(venue.account('b'), INTERACTIVE);
  expect(await venue.gateway.usage()).toMatchObject({ bybit: { instances: 2 } });
  venue.gateway.forget('a');
  expect(await venue.gateway.usage()).toMatchObject({ bybit: { instances: 1 } });
  await venue.gateway.equity(venue.account('a'), INTERACTIVE);
  await venue.gateway.equity(venue.account('b'), INTERACTIVE);
  expect(venue.requests).toHaveLength(3);
});

test('accounts that read at the same time each sign with their own key', async () => {
  await using venue = await setUp(
    ({ headers }) => ({
      body: { retCode: 0, result: { list: [{ totalEquity: String(headers['x-bapi-api-key']) }] } },
    }),
    { budgetShare: 3 },
  );
  const read = (apiKey: string) =>
    venue.gateway.equity({ key: apiKey, credentials: { ...CREDENTIALS.bybit, apiKey } }, INTERACTIVE);
  const keys = Array.from({ length: 100 }, (_, n) => String(n + 1));
  const equities = await Promise.all(keys.map(read));
  expect(equities.map(({ equityUsd }) => equityUsd)).toEqual(keys);
});

test('verifying reads the key first, then the equity, and is never cached', async () => {
  await using venue = await setUp(({ path }) => (path.endsWith('query-api') ? KEY_INFO : BALANCE));
  const verify = () => venue.gateway.verify(CREDENTIALS.bybit, INTERACTIVE);
  expect(await verify()).toEqual({
    accUid: '7',
    accountType: 'master',
    keyExpiresAt: null,
    mayWithdraw: false,
    region: null,
    equityUsd: '10',
  });
  await verify();
  expect(venue.requests.map(({ path }) => path.split('/').at(-1))).toEqual([
    'query-api',
    'wallet-balance',
    'query-api',
    'wallet-balance',
  ]);
  expect(await venue.gateway.usage()).toMatchObject({ bybit: { instances: 0 } });
});

test('after five failures of any accounts all requests fail at once, until one tries the venue again', async () => {
  let isDown = false;
  await using venue = await setUp(() => (isDown ? { status: 503, body: 'down' } : BALANCE));
  const read = (key: string) => venue.gateway.equity(venue.account(key), INTERACTIVE);
  // All have one key, whose mode is known from here on: each read is one request.
  await read('first');
  isDown = true;
  for (const key of 'abcde') await expect(read(key)).rejects.toThrow('venue_unavailable');
  await expect(read('f')).rejects.toMatchObject({ code: 'venue_unavailable', retryAfterMs: 5_000 });
  expect(venue.requests).toHaveLength(6);
  isDown = false;
  await venue.clock.move(5_000);
  const [first, ...others] = await Promise.allSettled([...'ghi'].map(read));
  expect(first?.status).toBe('fulfilled');
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read('h')).toMatchObject({ equityUsd: '10' });
});

test('a ban stops every account for as long as the venue says', async () => {
  await using venue = await setUp((_request, nth) => (nth === 1 ? { status: 403, body: '' } : BALANCE));
  await expect(venue.gateway.equity(venue.account('a'), INTERACTIVE)).rejects.toThrow('rate_limited');
  await venue.clock.move(599_000);
  const refused = venue.gateway.equity(venue.account('b'), BACKGROUND);
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 1_000 });
  expect(venue.requests).toHaveLength(1);
  await venue.clock.move(1_000);
  expect(await venue.gateway.equity(venue.account('b'), BACKGROUND)).toMatchObject({ equityUsd: '10' });
});

test('the limit of one account holds up that account alone', async () => {
  await using venue = await setUp((_request, nth) =>
    nth === 1 ? { body: { retCode: 10006, retMsg: 'slow' } } : BALANCE,
  );
  await expect(venue.gateway.equity(venue.account('a'), INTERACTIVE)).rejects.toThrow('rate_limited');
  const again = venue.gateway.equity(venue.account('a'), INTERACTIVE);
  await venue.gateway.equity(venue.account('b'), BACKGROUND);
  expect(venue.requests).toHaveLength(2);
  await venue.clock.move(1_000);
  await again;
  expect(venue.requests).toHaveLength(3);
});

test('a wait for the budget beyond the timeout fails with the time to retry', async () => {
  await using venue = await setUp(() => BALANCE, { budgetShare: 0.01, timeoutMs: 1_500 });
  const reads = [...'abcdefghijkl'].map((key) => venue.gateway.equity(venue.account(key), BACKGROUND));
  const settled = Promise.allSettled(reads);
  await venue.clock.move(1_500);
  const failed = (await settled).filter((one) => one.status === 'rejected');
  expect(failed.length).toBeGreaterThan(5);
  for (const { reason } of failed) {
    expect(reason).toMatchObject({ code: 'rate_limited', isRetryable: true });
    expect(reason.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  }
});

test('hyperliquid is called only at /info, without a key', async () => {
  await using venue = await setUp(() => ({ body: [] }));
  const account = { key: 'h', credentials: CREDENTIALS.hyperliquid };
  await Promise.allSettled([
    venue.gateway.verify(CREDENTIALS.hyperliquid, INTERACTIVE),
    venue.gateway.equity(account, INTERACTIVE),
    venue.gateway.openPositions(account, INTERACTIVE),
    venue.gateway.closedPositions(account, { sinceMs: 1, untilMs: Date.now() }, INTERACTIVE),
    venue.gateway.keyInfo(account, INTERACTIVE),
  ]);
  expect(venue.requests.length).toBeGreaterThan(3);
  for (const { method, path, body, headers } of venue.requests) {
    expect([method, path]).toEqual(['POST', '/info']);
    expect(body + JSON.stringify(headers)).not.toMatch(/signature|agentPrivateKey|0{20}/);
  }
});
