import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { accept, invite, PASSWORD, type Person } from '../../../../../../tests/support/identity/people.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
let person: Person;
let people = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.offsetMs = 0;
  const email = `limits-${++people}@example.com`;
  const { authorization } = await signInAs(world, 'super');
  person = await accept(world, { ...(await invite(world, authorization, { email })), email });
});

const pass = (minutes: number) => {
  world.clock.offsetMs += minutes * 60_000;
};
/** A renewal by a page whose last input was this many minutes ago. */
const renew = async (idleMinutes?: number) =>
  (
    await authCall(world, '/token', {
      cookie: person.cookie,
      ...(idleMinutes === undefined ? {} : { headers: { 'x-last-input': String(idleMinutes * 60) } }),
    })
  ).status;

test('a session ends two hours after the last input, however often its page renews', async () => {
  pass(60);
  expect(await renew(0)).toBe(200);
  for (const idle of [60, 119]) {
    pass(idle === 60 ? 60 : 59);
    expect(await renew(idle)).toBe(200);
  }
  pass(2);
  expect(await renew(121)).toBe(401);
  expect(await renew(0)).toBe(401);
});

test('a page without input does not shorten what another one has prolonged', async () => {
  pass(100);
  expect(await renew(1)).toBe(200);
  expect(await renew(100)).toBe(200);
  pass(100);
  expect(await renew(0)).toBe(200);
});

test('no input prolongs a session beyond twelve hours, and authenticating again does', async () => {
  for (let hours = 1; hours < 12; hours += 1) {
    pass(60);
    expect(await renew(0)).toBe(200);
  }
  const authorization = `Bearer ${await tokenOf(world, person.cookie)}`;
  const proven = await call(world, ['POST', '/api/reauthenticate'], {
    authorization,
    body: { password: PASSWORD },
  });
  expect(proven.status).toBe(200);
  for (let hours = 1; hours < 12; hours += 1) {
    pass(60);
    expect(await renew(0)).toBe(200);
  }
  pass(60);
  expect(await renew(0)).toBe(401);
});

test('a token says when its session ends, and an ended session answers no call', async () => {
  const token = await tokenOf(world, person.cookie);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.end - claims.iat).toBeGreaterThan(12 * 3600 - 60);
  pass(121);
  expect(await renew()).toBe(401);
});
