import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import {
  answerChallenge,
  challengeOf,
  newAddress,
  proveByPasskey,
  register,
  signInWithPasskey,
} from '../../../../../../tests/support/identity/passkeys.ts';
import {
  accept,
  enrol,
  invite,
  PASSWORD,
  type Person,
  signIn,
} from '../../../../../../tests/support/identity/people.ts';
import { createAuthenticator } from '../../../../../../tests/support/identity/software-authenticator.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

const MINUTE_MS = 60_000;
let world: World;
let count = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.offsetMs = 0;
});

async function addPerson(): Promise<Person> {
  const { authorization } = await signInAs(world, 'super');
  const email = `proves-${++count}@example.com`;
  return accept(world, { email, ...(await invite(world, authorization, { email, super: true })) });
}
/** Minutes are rounded up. */
const JUST_NOW = expect.toSatisfy((minutes) => minutes === 0 || minutes === 1);
/** A harmless call that requires recent authentication. */
const sensitive = (authorization: string) =>
  call(world, ['PATCH', '/api/users/00000000-0000-4000-8000-00000000dead'], {
    authorization,
    body: { admin: false },
  });
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('a passkey renews both proofs of the session that it was asked for', async () => {
  const person = await addPerson();
  const { authorization, cookie } = await signIn(world, person.email);
  const { authenticator } = await register(world, person);
  expect((await sensitive(authorization)).body.error).toBe('reauthentication_required');
  const proven = await proveByPasskey(world, authorization, authenticator);
  expect([proven.status, proven.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(claimsOf(proven.body.token).fva).toEqual([JUST_NOW, JUST_NOW]);
  expect((await sensitive(`Bearer ${proven.body.token}`)).status).toBe(404);
  world.clock.offsetMs = 10 * MINUTE_MS + 1_000;
  const late = `Bearer ${await tokenOf(world, cookie)}`;
  expect((await sensitive(late)).body.error).toBe('reauthentication_required');
  const audit = await asOwner(
    world.ownerUrl,
    `SELECT after FROM audit_entry WHERE target_id = $1 AND action = 'user.reauthenticated'`,
    [person.id],
  );
  expect(audit).toEqual([{ after: { by: 'passkey' } }]);
});

test('an account with both proves itself by either', async () => {
  const person = await enrol(world, await addPerson());
  const { authenticator } = await register(world, person);
  expect((await proveByPasskey(world, person.authorization, authenticator)).status).toBe(200);
  const byCode = await call(world, ['POST', '/api/reauthenticate'], {
    authorization: person.authorization,
    body: { code: await totpCode(person.uri) },
    address: newAddress(),
  });
  expect(byCode.status).toBe(200);
});

test('without a passkey there is nothing to ask for', async () => {
  const person = await addPerson();
  expect((await challengeOf(world, person.authorization)).body.error).toBe('reauthentication_method');
  const answered = await proveByPasskey(world, person.authorization, createAuthenticator(), {
    challenge: 'AAAA',
  });
  expect(answered.body.error).toBe('reauthentication_method');
});

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another domain', { relyingPartyId: 'evil.example' }],
  ['an unverified user', { isUnverified: true }],
  ['a challenge of its own', { challenge: 'AAAA' }],
  ["another key's signature", { signsWith: createAuthenticator() }],
])('%s proves nothing, and uses the challenge up', async (_what, lies) => {
  const person = await addPerson();
  const { authorization } = await signIn(world, person.email);
  const { authenticator } = await register(world, person);
  const { challenge } = (await challengeOf(world, authorization)).body.data;
  const refused = await proveByPasskey(world, authorization, authenticator, { challenge, lies });
  expect([refused.status, refused.body.error]).toEqual([403, 'reauthentication_failed']);
  if (!('challenge' in lies)) {
    const again = await proveByPasskey(world, authorization, authenticator, { challenge });
    expect(again.body.error).toBe('reauthentication_failed');
  }
  expect((await sensitive(authorization)).status).toBe(403);
});

test('a replay, another session, another person and an old challenge prove nothing', async () => {
  const person = await addPerson();
  const first = await signIn(world, person.email);
  const second = await signIn(world, person.email);
  const { authenticator } = await register(world, person);
  const failed = { status: 403, body: { error: 'reauthentication_failed' } };

  const foreign = (await challengeOf(world, first.authorization)).body.data.challenge;
  const answer = authenticator.sign({ challenge: foreign });
  expect(await answerChallenge(world, second.authorization, answer)).toMatchObject(failed);
  expect((await answerChallenge(world, first.authorization, answer)).status).toBe(200);
  expect(await answerChallenge(world, first.authorization, answer)).toMatchObject(failed);

  const other = await addPerson();
  const { authenticator: theirs } = await register(world, other);
  expect(await proveByPasskey(world, second.authorization, theirs)).toMatchObject(failed);

  const old = (await challengeOf(world, second.authorization)).body.data.challenge;
  world.clock.offsetMs = 5 * MINUTE_MS + 1_000;
  const late = `Bearer ${await tokenOf(world, second.cookie)}`;
  expect(await proveByPasskey(world, late, authenticator, { challenge: old })).toMatchObject(failed);
  // The challenge of a sign-in proves nothing either.
  world.clock.offsetMs = 0;
  const { challenge } = (
    await authCall(world, '/passkey/generate-authenticate-options', {
      cookie: second.cookie,
      address: newAddress(),
    })
  ).body;
  expect(await proveByPasskey(world, second.authorization, authenticator, { challenge })).toMatchObject(
    failed,
  );
});

test('failures are throttled, together with those of the sign-in', async () => {
  const person = await addPerson();
  const { authorization } = await signIn(world, person.email);
  const { authenticator } = await register(world, person);
  const address = newAddress();
  const lies = { isUnverified: true };
  for (let attempt = 0; attempt < 10; attempt += 1)
    await proveByPasskey(world, authorization, authenticator, { lies, address });
  const refused = await proveByPasskey(world, authorization, authenticator, { address });
  expect([refused.status, refused.body.error]).toEqual([429, 'too_many_attempts']);
  expect((await signInWithPasskey(world, authenticator, { address })).status).toBe(429);
});

test('with a passkey alone, a recent proof takes the place of the code where a password is not enough', async () => {
  const person = await addPerson();
  const { authenticator } = await register(world, person);
  const session = await signInWithPasskey(world, authenticator);
  const changed = await authCall(world, '/change-password', {
    body: { currentPassword: PASSWORD, newPassword: 'another horse battery staple' },
    cookie: session.cookie,
    address: newAddress(),
  });
  expect(changed.status).toBe(200);
});
