import { expect, test } from 'vitest';
import { createTokenCache, lifeMs } from './token-cache.ts';

const LIFE_S = 300;
let serial = 0;

/** A token like the server's, issued by a clock that may be wrong. */
function tokenIssuedAt(seconds: number): string {
  serial += 1;
  const payload = btoa(JSON.stringify({ iat: seconds, exp: seconds + LIFE_S, jti: serial }));
  return `e30.${payload.replace(/=+$/, '')}.c2ln`;
}

function setUp() {
  const state = { now: 1_000_000, fetches: 0, signedIn: true };
  const cache = createTokenCache(
    async () => {
      state.fetches++;
      return state.signedIn ? tokenIssuedAt(5) : null;
    },
    () => state.now,
  );
  return { state, cache };
}

test('concurrent callers share one request', async () => {
  const { state, cache } = setUp();
  const tokens = await Promise.all([cache.get(), cache.get(), cache.get({ force: true })]);
  expect(new Set(tokens).size).toBe(1);
  expect(state.fetches).toBe(1);
});

test('a token is cached until 30 seconds before its end, by its life and not by the local time', async () => {
  const { state, cache } = setUp();
  const first = await cache.get();
  state.now += (LIFE_S - 31) * 1000;
  expect(await cache.get()).toBe(first);
  state.now += 1_000;
  expect(await cache.get()).not.toBe(first);
  expect(state.fetches).toBe(2);
});

test('force renews at once', async () => {
  const { cache } = setUp();
  const first = await cache.get();
  expect(await cache.get({ force: true })).not.toBe(first);
});

test('a failed renewal is not cached', async () => {
  let fails = true;
  const cache = createTokenCache(async () => {
    if (fails) throw new Error('down');
    return tokenIssuedAt(0);
  });
  await expect(cache.get()).rejects.toThrow('down');
  fails = false;
  expect(await cache.get()).toMatch(/^e30\./);
});

test('a renewal that ends after the sign-out is thrown away', async () => {
  const { state, cache } = setUp();
  const late = cache.get();
  cache.clear();
  state.signedIn = false;
  expect(await late).toBeNull();
  expect(await cache.get()).toBeNull();
});

test('a signed-out state is read once, and again after the sign-in', async () => {
  const { state, cache } = setUp();
  state.signedIn = false;
  expect([await cache.get(), await cache.get()]).toEqual([null, null]);
  expect(state.fetches).toBe(1);
  state.signedIn = true;
  cache.clear();
  expect(await cache.get()).toMatch(/^e30\./);
});

test('a token of more recent authentication replaces one that is being fetched', async () => {
  const { cache } = setUp();
  const late = cache.get();
  const better = tokenIssuedAt(9);
  cache.adopt(better);
  expect([await late, await cache.get()]).toEqual([better, better]);
});

test('the end of the session is a span as well, and is forgotten with it', async () => {
  const { state, cache } = setUp();
  expect(cache.sessionLeftMs()).toBe(Infinity);
  const payload = btoa(JSON.stringify({ iat: 5, exp: 305, end: 605 }));
  cache.adopt(`e30.${payload}.c2ln`);
  state.now += 60_000;
  expect(cache.sessionLeftMs()).toBe(540_000);
  cache.clear();
  expect(cache.sessionLeftMs()).toBe(Infinity);
});

test('an invalid token has no life', () => {
  expect(lifeMs('nonsense')).toBe(0);
  expect(lifeMs(tokenIssuedAt(1))).toBe(LIFE_S * 1000);
});
