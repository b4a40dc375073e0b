import { expect, test, vi } from 'vitest';
import { createTotalsCache } from './totals-cache.ts';

const MAX_AGE_MS = 30_000;

/** A cache on a hand-moved clock, and a slow count. */
function setUp() {
  let nowMs = 1_000_000;
  const cache = createTotalsCache({ now: () => nowMs, maxAgeMs: MAX_AGE_MS });
  let counted = 0;
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return {
    cache,
    wait,
    counted: () => counted,
    /** Requests the total. Counting takes `costMs` of the clock and returns how often it was counted. */
    ask: async (costMs = 100, key = 'total') => {
      const { value } = await cache.get(key, async () => {
        wait(costMs);
        counted += 1;
        return counted;
      });
      return value;
    },
  };
}

test('a total is counted once and kept while nothing changes', async () => {
  const { ask, wait } = setUp();
  expect(await ask()).toBe(1);
  wait(MAX_AGE_MS - 101);
  expect(await ask()).toBe(1);
});

test('after its maximal age a total is counted again although nothing changed', async () => {
  const { ask, wait } = setUp();
  await ask();
  wait(MAX_AGE_MS - 100);
  expect(await ask()).toBe(2);
});

test('requests during a count share it', async () => {
  const { cache } = setUp();
  const { promise, resolve } = Promise.withResolvers<number>();
  const count = vi.fn(() => promise);
  const asked = [cache.get('total', count), cache.get('total', count), cache.get('total', count)];
  resolve(7);
  expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([7, 7, 7]);
  expect(count).toHaveBeenCalledTimes(1);
});

test('totals of different keys are apart', async () => {
  const { ask } = setUp();
  expect(await ask(100, 'a')).toBe(1);
  expect(await ask(100, 'b')).toBe(2);
  expect(await ask(100, 'a')).toBe(1);
});

test('a change makes a total that cost nothing stale at once', async () => {
  const { cache, ask } = setUp();
  await ask(0);
  expect(await ask(0)).toBe(1);
  cache.touch();
  expect(await ask(0)).toBe(2);
  expect(await ask(0)).toBe(2);
});

test('after an act in this process a total is counted again at once, unless it is expensive', async () => {
  const { cache, ask } = setUp();
  expect(await ask(200)).toBe(1);
  cache.touchHere();
  expect(await ask(200)).toBe(2);
  expect(await ask(1_000, 'expensive')).toBe(3);
  cache.touchHere();
  expect(await ask(1_000, 'expensive')).toBe(3);
});

test('whoever acted while a total was counted gets one that was begun after the act', async () => {
  const { cache } = setUp();
  const slow = Promise.withResolvers<string>();
  const before = cache.get('sales', () => slow.promise);
  cache.touchHere();
  expect((await cache.get('sales', async () => 'after')).value).toBe('after');
  cache.touch();
  slow.resolve('before');
  expect((await before).value).toBe('before');
});

test('acts during an expensive count start no other one', async () => {
  const { cache, ask, wait } = setUp();
  await ask(1_000);
  wait(MAX_AGE_MS);
  const slow = Promise.withResolvers<number>();
  const count = vi.fn(() => slow.promise);
  const asked = [cache.get('total', count)];
  for (let n = 0; n < 5; n += 1) {
    cache.touchHere();
    asked.push(cache.get('total', count));
  }
  slow.resolve(7);
  await Promise.all(asked);
  expect(count).toHaveBeenCalledTimes(1);
});

test('an expensive total stays cached for four times its cost however much changes', async () => {
  const { cache, ask, wait } = setUp();
  await ask(1000);
  for (let n = 0; n < 29; n++) {
    wait(100);
    cache.touch();
    expect(await ask(1000), `${1000 + (n + 1) * 100} ms after it was begun`).toBe(1);
  }
  wait(100);
  expect(await ask(1000)).toBe(2);
});

test('a change while it is counted makes the total stale: the count may not have seen it', async () => {
  const { cache, ask, wait } = setUp();
  const { promise, resolve } = Promise.withResolvers<number>();
  const asked = cache.get('total', () => promise);
  cache.touch();
  wait(10);
  resolve(99);
  expect((await asked).value).toBe(99);
  wait(40);
  expect(await ask()).toBe(1);
});

test('an error reaches all callers, and is not cached', async () => {
  const { cache, ask } = setUp();
  const fail = vi.fn(() => Promise.reject(new Error('no database')));
  const asked = await Promise.allSettled([cache.get('total', fail), cache.get('total', fail)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(fail).toHaveBeenCalledTimes(1);
  expect(await ask()).toBe(1);
});

test('a total says when its count was begun', async () => {
  const { cache, wait } = setUp();
  const take = () => cache.get('total', async () => wait(500));
  expect((await take()).takenAt.getTime()).toBe(1_000_000);
  wait(200);
  expect((await take()).takenAt.getTime()).toBe(1_000_000);
});

test('beyond a limit the oldest totals are dropped', async () => {
  const { ask, counted } = setUp();
  for (let n = 0; n < 501; n++) await ask(0, `filter ${n}`);
  await ask(0, 'filter 500');
  await ask(0, 'filter 1');
  expect(counted()).toBe(501);
  await ask(0, 'filter 0');
  expect(counted()).toBe(502);
});

test('cleared totals are counted again at once, also those whose count began before', async () => {
  const { cache, ask } = setUp();
  expect(await ask(100)).toBe(1);
  cache.clear();
  expect(await ask(100)).toBe(2);
  const slow = Promise.withResolvers<string>();
  const before = cache.get('search', () => slow.promise);
  cache.clear();
  expect((await cache.get('search', async () => 'after')).value).toBe('after');
  slow.resolve('before');
  expect((await before).value).toBe('before');
  expect((await cache.get('search', async () => 'again')).value).toBe('after');
});

test('a count that outlives a clearing does not pass an unfinished one off as finished', async () => {
  const { cache } = setUp();
  const [old, next] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const before = cache.get('search', () => old.promise);
  cache.clear();
  const after = cache.get('search', () => next.promise);
  old.resolve('before');
  await before;
  const reader = cache.get('search', async () => 'a third count');
  next.resolve('after');
  expect([(await after).value, (await reader).value]).toEqual(['after', 'after']);
});

test('a count that fails after a clearing does not drop the one that follows', async () => {
  const { cache } = setUp();
  const old = Promise.withResolvers<string>();
  const before = cache.get('search', () => old.promise);
  cache.clear();
  await cache.get('search', async () => 'after');
  old.reject(new Error('no database'));
  await expect(before).rejects.toThrow('no database');
  expect((await cache.get('search', async () => 'again')).value).toBe('after');
});
