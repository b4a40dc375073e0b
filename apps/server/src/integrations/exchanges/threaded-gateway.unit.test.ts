import { afterEach, expect, test, vi } from 'vitest';
import {
  CREDENTIALS,
  type Reply,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../tests/support/exchanges/loopback-venue.ts';
import type { CountingGateway } from './create-gateway.ts';
import { GatewayError } from './gateway.ts';
import { createThreadedGateway } from './threaded-gateway.ts';

// A thread starts in 0.5 s, and much slower on busy cores.
vi.setConfig({ testTimeout: 60_000 });

const INTERACTIVE = { priority: 'interactive' } as const;
const ACCOUNT = { key: 'a', credentials: CREDENTIALS.bybit };
const BALANCE: Reply = { body: { retCode: 0, result: { list: [{ totalEquity: '10' }] } } };

const opened: CountingGateway[] = [];
const open = (...args: Parameters<typeof createThreadedGateway>) => {
  const gateway = createThreadedGateway(...args);
  opened.push(gateway);
  return gateway;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

/** A thread that ends instead of answering. */
const CRASHING = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('canary'); });")}`,
);

test('answers and errors come through as they are', async () => {
  await using venue = await startLoopbackVenue(({ path }) =>
    path.endsWith('wallet-balance') ? BALANCE : { status: 429, headers: { 'retry-after': '3' }, body: '' },
  );
  const gateway = open(settingsAt(venue.url));
  expect(await gateway.usage()).toEqual({});
  expect(await gateway.equity(ACCOUNT, INTERACTIVE)).toMatchObject({ equityUsd: '10' });
  const error = await gateway.keyInfo(ACCOUNT, INTERACTIVE).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({
    code: 'rate_limited',
    venueCode: 'http429',
    retryAfterMs: 3_000,
    isRetryable: true,
  });
  expect(await gateway.usage()).toMatchObject({ bybit: { requests: 3, breaker: 'paused' } });
});

test('an account is forgotten in the thread too', async () => {
  await using venue = await startLoopbackVenue(() => BALANCE);
  const gateway = open(settingsAt(venue.url));
  await gateway.equity(ACCOUNT, INTERACTIVE);
  await gateway.equity(ACCOUNT, INTERACTIVE);
  expect(venue.requests).toHaveLength(1);
  gateway.forget('a');
  await gateway.equity(ACCOUNT, INTERACTIVE);
  expect(venue.requests).toHaveLength(2);
});

test('the event loop goes on while the thread loads the exchanges', async () => {
  await using venue = await startLoopbackVenue(() => BALANCE);
  const gateway = open(settingsAt(venue.url));
  let longestMs = 0;
  const begunAt = performance.now();
  let lastAt = begunAt;
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastAt);
    lastAt = performance.now();
  }, 5);
  await gateway.equity(ACCOUNT, INTERACTIVE);
  clearInterval(beat);
  // Loaded in this thread, they would block it for nearly all of the time.
  expect(longestMs).toBeLessThan((performance.now() - begunAt) / 2);
});

test('calls under way fail when their thread ends, and a new one starts after a pause', async () => {
  let nowMs = 1_000_000;
  const gateway = open(settingsAt('http://127.0.0.1:9'), { now: () => nowMs, file: CRASHING });
  const fail = () => gateway.equity(ACCOUNT, INTERACTIVE).catch((error) => error);
  const first = await Promise.all([fail(), fail(), fail()]);
  expect(first.map(({ code }) => code)).toEqual(Array(3).fill('venue_unavailable'));
  // The first end costs nothing, the second half a second, the third a second.
  expect(await fail()).toMatchObject({ code: 'venue_unavailable', retryAfterMs: null });
  expect(await fail()).toMatchObject({ code: 'venue_unavailable', retryAfterMs: 500 });
  nowMs += 500;
  expect(await fail()).toMatchObject({ retryAfterMs: null });
  expect(await fail()).toMatchObject({ retryAfterMs: 1_000 });
});

test('after closing, everything is refused', async () => {
  await using venue = await startLoopbackVenue(() => 'hang');
  const gateway = open(settingsAt(venue.url));
  const under = gateway.equity(ACCOUNT, INTERACTIVE).catch((error) => error);
  await expect.poll(() => venue.requests.length, { timeout: 40_000 }).toBe(1);
  await gateway.close();
  expect(await under).toMatchObject({ code: 'venue_unavailable' });
  await expect(gateway.equity(ACCOUNT, INTERACTIVE)).rejects.toThrow('venue_unavailable');
});
