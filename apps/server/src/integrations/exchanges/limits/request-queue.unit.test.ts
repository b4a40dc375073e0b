import { expect, test } from 'vitest';
import { createHandMovedClock } from '../../../../../../tests/support/exchanges/hand-moved-clock.ts';
import { GatewayError, type Priority } from '../gateway.ts';
import { createBreaker } from './breaker.ts';
import { createRequestQueue, type Lane } from './request-queue.ts';
import { createTokenBucket } from './token-bucket.ts';

/** A venue that lets one request through at once and one more each second. */
function setUp({ longestWaitMs = 10_000 } = {}) {
  const clock = createHandMovedClock();
  const slow = { weight: 20, windowMs: 10_000, burst: 0.5 };
  const venue = createTokenBucket({ ...slow, burst: 0.05, weight: 20 }, 1, clock.now);
  const breaker = createBreaker(clock.now);
  const queue = createRequestQueue({ clock, venue, breaker, longestWaitMs });
  const gone: string[] = [];
  const failed: [string, GatewayError][] = [];
  const ask = (
    name: string,
    priority: Priority,
    options: { weight?: number; busyAccount?: boolean } = {},
  ) => {
    const lane: Lane = { priority };
    const account = options.busyAccount ? createTokenBucket(slow, 1, clock.now) : null;
    account?.pause(3_000);
    queue.wait({ weight: options.weight ?? 1, lane, account }).then(
      () => gone.push(name),
      (error) => failed.push([name, error]),
    );
    return lane;
  };
  return { clock, queue, breaker, ask, gone, failed };
}

test('interactive requests go before background ones, each in their order', async () => {
  const { clock, ask, gone } = setUp();
  for (const name of ['first', 'b1', 'b2']) ask(name, 'background');
  await clock.move(0);
  ask('i1', 'interactive');
  ask('i2', 'interactive');
  await clock.move(5_000);
  expect(gone).toEqual(['first', 'i1', 'i2', 'b1', 'b2']);
});

test('requests go at the pace of the budget and not before', async () => {
  const { clock, ask, gone, queue } = setUp();
  for (let n = 0; n < 5; n++) ask(String(n), 'background');
  await clock.move(0);
  expect(gone).toHaveLength(1);
  await clock.move(500);
  expect(gone).toHaveLength(1);
  await clock.move(600);
  expect(gone.length).toBeGreaterThan(1);
  await clock.move(2_000);
  expect(gone).toHaveLength(5);
  expect(queue.waiting()).toBe(0);
});

test('a request that waits for its own account holds up no other', async () => {
  const { clock, ask, gone } = setUp();
  ask('busy', 'interactive', { busyAccount: true });
  ask('other', 'background');
  await clock.move(1_000);
  expect(gone).toEqual(['other']);
  await clock.move(3_000);
  expect(gone).toEqual(['other', 'busy']);
});

test('a heavy request is not overtaken by light ones behind it', async () => {
  const { clock, ask, gone } = setUp();
  ask('opens the debt', 'interactive', { weight: 6 });
  ask('heavy', 'background', { weight: 4 });
  for (const name of ['light 1', 'light 2']) ask(name, 'background');
  await clock.move(9_000);
  expect(gone).toEqual(['opens the debt', 'heavy', 'light 1', 'light 2']);
});

test('a background read that becomes interactive goes first', async () => {
  const { clock, queue, ask, gone } = setUp();
  ask('first', 'background');
  ask('b1', 'background');
  const lane = ask('b2', 'background');
  await clock.move(0);
  lane.priority = 'interactive';
  queue.wake();
  await clock.move(3_000);
  expect(gone).toEqual(['first', 'b2', 'b1']);
});

test('too long a wait fails with the time to retry', async () => {
  const { clock, queue, ask, gone, failed } = setUp({ longestWaitMs: 2_000 });
  ask('heavy', 'interactive', { weight: 20 });
  ask('late', 'background');
  await clock.move(2_000);
  expect(gone).toEqual(['heavy']);
  expect(failed[0]).toMatchObject(['late', { code: 'rate_limited', isRetryable: true }]);
  expect(failed[0]?.[1].retryAfterMs).toBeGreaterThan(5_000);
  expect(queue.waiting()).toBe(0);
  expect(clock.waiting()).toBe(0);
});

test('waiting requests fail at once when the venue goes down', async () => {
  const { clock, breaker, queue, ask, failed } = setUp();
  ask('first', 'background');
  ask('waiting', 'background');
  await clock.move(0);
  for (let n = 0; n < 5; n++) breaker.failed();
  queue.wake();
  await clock.move(0);
  expect(failed).toEqual([['waiting', expect.any(GatewayError)]]);
  expect(failed[0]?.[1].code).toBe('venue_unavailable');
});
