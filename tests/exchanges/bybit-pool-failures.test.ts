import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { ExchangeProblem } from '@copydesk/domain/trading';
import type { Fault } from '@copydesk/simulators/venues';
import { expect, test } from 'vitest';
import { createExchangeGateway } from '../../apps/server/src/integrations/exchanges/create-gateway.ts';
import type { PoolAccount } from '../../apps/server/src/integrations/exchanges/pool-records.ts';
import type { PoolVenue } from '../../apps/server/src/integrations/exchanges/pool-venue.ts';
import { createThreadedGateway } from '../../apps/server/src/integrations/exchanges/threaded-gateway.ts';
import { CANARY, CREDENTIALS, settingsAt, startLoopbackVenue } from '../support/exchanges/loopback-venue.ts';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const one = poolAccount(1);

const SPAN = { sinceMs: Date.now() - 60_000, untilMs: Date.now() };

/** Every method once, with arguments that any account accepts. */
const CALLS: [keyof PoolVenue, (reads: PoolVenue, account: PoolAccount) => Promise<unknown>][] = [
  ['readKey', (reads, account) => reads.readKey(account, NOW)],
  ['readDepositAddress', (reads, account) => reads.readDepositAddress(account, {}, NOW)],
  ['listDeposits', (reads, account) => reads.listDeposits(account, SPAN, NOW)],
  ['listWithdrawals', (reads, account) => reads.listWithdrawals(account, SPAN, NOW)],
  ['readBalances', (reads, account) => reads.readBalances(account, NOW)],
  [
    'moveToUnified',
    (reads, account) => reads.moveToUnified(account, { transferId: randomUUID(), amountUnits: USDT }, NOW),
  ],
  ['findTransfer', (reads, account) => reads.findTransfer(account, randomUUID(), NOW)],
  ['listPositions', (reads, account) => reads.listPositions(account, NOW)],
  ['countOpenOrders', (reads, account) => reads.countOpenOrders(account, NOW)],
  ['listClosedPnl', (reads, account) => reads.listClosedPnl(account, SPAN, NOW)],
  ['sumTransactionLog', (reads, account) => reads.sumTransactionLog(account, SPAN, NOW)],
  ['readCoin', (reads, account) => reads.readCoin(account, NOW)],
];

const FAULTS: [Fault, ExchangeProblem][] = [
  [{ kind: 'wrong_key' }, 'invalid_credentials'],
  [{ kind: 'ip_refused' }, 'ip_not_allowed'],
  [{ kind: 'clock_skew' }, 'clock_skew'],
  [{ kind: 'rate_limit' }, 'rate_limited'],
  [{ kind: 'maintenance' }, 'venue_unavailable'],
  [{ kind: 'server_error' }, 'venue_unavailable'],
  [{ kind: 'timeout' }, 'timeout'],
  [{ kind: 'cut' }, 'venue_unavailable'],
  [{ kind: 'malformed', body: 'truncated' }, 'bad_response'],
  [{ kind: 'malformed', body: 'html' }, 'bad_response'],
];

test('every method is called here', async () => {
  await using venue = await startSimulatedPools();
  expect(CALLS.map(([name]) => name).sort()).toEqual(Object.keys(venue.reads).sort());
});

test.each(CALLS)('%s fails in our own words, whatever happens on the way', async (_name, call) => {
  for (const [fault, code] of FAULTS) {
    // The breaker and its pauses belong to one gateway.
    await using venue = await startSimulatedPools([poolState(1, { funding: USDT })], {
      // On a busy machine an answer takes long, and only one fault is about that.
      settings: { timeoutMs: code === 'timeout' ? 200 : 5_000 },
    });
    venue.faults.set(fault);
    const outcome = await call(venue.reads, one).catch((error) => error);
    expect([fault.kind, outcome]).toMatchObject([fault.kind, { name: 'GatewayError', code }]);
    // The process may read other accounts again, except in a pause that the venue asked for.
    venue.faults.clear();
    if (code !== 'rate_limited')
      expect(await venue.reads.readKey(one, NOW)).toMatchObject({ isMaster: true });
  }
});

test.each(CALLS)('%s of a revoked key concerns that account alone', async (_name, call) => {
  await using venue = await startSimulatedPools([poolState(1), poolState(2)]);
  venue.faults.set({ kind: 'wrong_key', account: poolState(1).uid });
  await expect(call(venue.reads, one)).rejects.toMatchObject({
    code: 'invalid_credentials',
    venueCode: '10003',
    isRetryable: false,
  });
  expect(await venue.reads.readKey(poolAccount(2), NOW)).toMatchObject({ uid: poolState(2).uid });
});

test.each(CALLS)('%s keeps the secrets and the words of the venue out of its error', async (_name, call) => {
  const words = `error sign! origin_string[1700000000000${CANARY}key5000]`;
  for (const retCode of [10004, 10005, 131001, 131206, 987654]) {
    await using venue = await startLoopbackVenue(() => ({ body: { retCode, retMsg: words, result: {} } }));
    const gateway = createExchangeGateway(settingsAt(venue.url), { now: Date.now });
    const account = { key: 'a', credentials: CREDENTIALS.bybit };
    const outcome = await call(gateway.pools, account).catch((error: Error) => error);
    // `inspect` includes stack and cause.
    for (const text of [inspect(outcome, { depth: 9, showHidden: true }), JSON.stringify(outcome)])
      expect(text).not.toMatch(/canary|origin_string/);
    await gateway.close();
  }
});

test.each([
  {},
  { result: {} },
  { result: { list: [{}], rows: [{}], chains: [{}], balance: [{}], nextPageCursor: '' } },
  { result: { list: null, rows: null, chains: null, balance: null } },
])('an answer of another shape is an error and never a figure: %j', async (body) => {
  await using venue = await startLoopbackVenue(() => ({ body: { retCode: 0, ...body } }));
  const gateway = createExchangeGateway(settingsAt(venue.url, { budgetShare: 1_000 }), { now: Date.now });
  for (const [, call] of CALLS)
    await expect(call(gateway.pools, { key: 'a', credentials: CREDENTIALS.bybit })).rejects.toMatchObject({
      code: expect.stringMatching(/bad_response|unsupported/),
    });
  await gateway.close();
});

test('our limits hold: 60 % of 100 deposit lists a minute, the rest waits or is refused', async () => {
  await using venue = await startSimulatedPools([poolState(1)], {
    hasRealClock: true,
    venue: { rateLimits: 'documented' },
    settings: { budgetShare: 0.6, timeoutMs: 4_000 },
  });
  const beganAt = performance.now();
  const lists = Array.from({ length: 80 }, () => venue.reads.listDeposits(one, SPAN, NOW));
  const outcomes = await Promise.allSettled(lists);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  // Half of the minute's budget at once, and one more every two seconds.
  const later = Math.ceil((performance.now() - beganAt) / 2_000);
  const sent = venue.requests.count('/v5/asset/deposit/query-record');
  expect(sent).toBeGreaterThanOrEqual(30);
  expect(sent).toBeLessThanOrEqual(30 + later);
  expect(refused).toHaveLength(80 - sent);
  for (const one of refused)
    expect(one).toMatchObject({ reason: { code: 'rate_limited', retryAfterMs: expect.any(Number) } });
});

test('no read is shared: each caller gets an answer that is newer than its call', async () => {
  await using venue = await startSimulatedPools();
  await Promise.all([venue.reads.readKey(one, NOW), venue.reads.readKey(one, NOW)]);
  expect(venue.requests.count('/v5/user/query-api')).toBe(2);
});

test('a call ends at the deadline of the person who waits for it', async () => {
  await using venue = await startSimulatedPools([poolState(1)], {
    settings: { timeoutMs: 700, deadlineMs: 400 },
  });
  venue.faults.set({ kind: 'latency', ms: 250 });
  // Two requests, one after the other.
  await expect(venue.reads.readDepositAddress(one, {}, NOW)).rejects.toMatchObject({ code: 'timeout' });
  const background = { priority: 'background' } as const;
  expect(await venue.reads.readDepositAddress(one, {}, background)).toMatchObject({
    address: poolState(1).depositAddress,
  });
});

test('the gateway in its thread answers every call as the one in this process does', async () => {
  await using venue = await startSimulatedPools([poolState(1, { funding: 5n * USDT, unified: 1n })], {
    hasRealClock: true,
  });
  const gateway = createThreadedGateway(settingsAt(venue.url, { budgetShare: 1_000 }));
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (key, item) =>
        key === 'readAt' || key === 'coverageFrom' ? 0 : typeof item === 'bigint' ? `${item}` : item,
      ),
    );
  for (const [name, call] of CALLS) {
    if (name === 'moveToUnified') continue;
    expect([name, plain(await call(gateway.pools, one))]).toEqual([
      name,
      plain(await call(venue.reads, one)),
    ]);
  }
  const move = { transferId: randomUUID(), amountUnits: USDT };
  expect(await gateway.pools.moveToUnified(one, move, NOW)).toMatchObject({ state: 'done' });
  venue.faults.set({ kind: 'wrong_key' });
  await expect(gateway.pools.readBalances(one, NOW)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await gateway.close();
});
