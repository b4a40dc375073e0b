import { beforeEach, expect, test } from 'vitest';
import { createHostedTokens } from './hosted-tokens.ts';

const clock = { ms: 1_000_000 };
let issued = 0;
let asked = 0;
let isOffline = false;
let shared: string[] = [];
const token = (sid = 'sess_1', organization?: string) => {
  issued += 1;
  const iat = 500_000 + Math.floor(clock.ms / 1_000);
  const claims = {
    sid,
    iat,
    exp: iat + 60,
    jti: issued,
    ...(organization ? { o: { id: organization } } : {}),
  };
  return `h.${btoa(JSON.stringify(claims))}.s`;
};
const create = (fetchToken = async (): Promise<string | null> => token()) =>
  createHostedTokens({
    fetchToken: async () => {
      asked += 1;
      if (isOffline) throw new Error('offline');
      return fetchToken();
    },
    exclusively: (run) => run(),
    share: (one) => void shared.push(one),
    now: () => clock.ms,
  });
beforeEach(() => {
  issued = 0;
  asked = 0;
  isOffline = false;
  shared = [];
});

test('a token is renewed when half of its life has passed, and no caller waits for it', async () => {
  const tokens = create();
  const first = await tokens.get();
  clock.ms += 29_000;
  expect(await tokens.get()).toBe(first);
  expect(asked).toBe(1);
  clock.ms += 2_000;
  expect(await tokens.get()).toBe(first);
  // The renewal ends.
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(await tokens.get()).not.toBe(first);
  expect([asked, shared.length]).toEqual([2, 2]);
});

test('callers of a token that has ended wait for one renewal', async () => {
  const tokens = create();
  await tokens.get();
  clock.ms += 56_000;
  const [a, b] = await Promise.all([tokens.get(), tokens.get()]);
  expect(a).toBe(b);
  expect(asked).toBe(2);
});

test('while the service cannot be reached the token is used until its end, and then the failure shows', async () => {
  const tokens = create();
  const first = await tokens.get();
  isOffline = true;
  clock.ms += 40_000;
  expect(await tokens.get()).toBe(first);
  clock.ms += 16_000;
  await expect(tokens.get()).rejects.toThrow('offline');
});

test('the token of another tab is taken, unless it is of another session or organisation', async () => {
  const tokens = create();
  await tokens.get();
  clock.ms += 31_000;
  const other = token();
  tokens.adopt(other);
  tokens.adopt(token('sess_2'));
  tokens.adopt(token('sess_1', 'org_1'));
  expect(await tokens.get()).toBe(other);
  expect(asked).toBe(1);
});

test('a token that another tab has shared is waited for, also when it comes after the turn of that tab', async () => {
  let arrive = () => {};
  const tokens = createHostedTokens({
    fetchToken: async () => {
      asked += 1;
      return token();
    },
    exclusively: (run) => run(),
    share: () => {},
    arrived: () => new Promise((resolve) => (arrive = resolve)),
    now: () => clock.ms,
  });
  await tokens.get();
  clock.ms += 31_000;
  await tokens.get();
  const others = token();
  tokens.adopt(others);
  arrive();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(await tokens.get()).toBe(others);
  expect(asked).toBe(1);
});

test('a renewal that began before signing out leaves nothing behind', async () => {
  let answer: (text: string) => void = () => {};
  const tokens = create(() => new Promise((resolve) => (answer = resolve)));
  const slow = tokens.get();
  tokens.clear();
  answer(token());
  await slow;
  expect(shared).toEqual([]);
  expect(asked).toBe(1);
});
