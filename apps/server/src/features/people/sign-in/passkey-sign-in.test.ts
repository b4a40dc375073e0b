import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import {
  newAddress,
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
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';

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
  const email = `passkey-${++count}@example.com`;
  return accept(world, { email, ...(await invite(world, authorization, { email, super: true })) });
}
const claimsOf = (authorization: string) =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
/** Minutes are rounded up. */
const JUST_NOW = expect.toSatisfy((minutes) => minutes === 0 || minutes === 1);
/** An act on secrets, which needs a second factor on the account and a recent proof of it. */
const createToken = (authorization: string) =>
  call(world, ['POST', '/api/service-tokens'], {
    authorization,
    body: { name: 'Reader', scopes: ['traders:read'], provider_ids: [PROVIDERS[0]?.id] },
  });

test('a passkey signs in alone, as both factors', async () => {
  const person = await addPerson();
  const { status, authenticator, options } = await register(world, person);
  expect(status).toBe(200);
  expect(options.body).toMatchObject({
    rp: { id: 'localhost', name: 'Copydesk' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const session = await signInWithPasskey(world, authenticator);
  expect(session.status).toBe(200);
  expect(session.options.body.userVerification).toBe('required');
  expect(claimsOf(session.authorization)).toMatchObject({ sub: person.id, fva: [JUST_NOW, JUST_NOW] });
  expect((await createToken(session.authorization)).status).toBe(201);
  const me = await call(world, ['GET', '/api/me'], session);
  expect(me.body.data).toMatchObject({ two_factor_enabled: true, reauthenticates_by: 'passkey' });
});

test('with an authenticator app as well, a passkey is not asked for a code', async () => {
  const person = await enrol(world, await addPerson());
  const { authenticator } = await register(world, person);
  const session = await signInWithPasskey(world, authenticator);
  expect(claimsOf(session.authorization).fva).toEqual([JUST_NOW, JUST_NOW]);
  const me = await call(world, ['GET', '/api/me'], session);
  expect(me.body.data.reauthenticates_by).toBe('code_or_passkey');
  // A password is still asked for one.
  const { body } = await authCall(world, '/sign-in/email', {
    body: { email: person.email, password: PASSWORD },
    address: newAddress(),
  });
  expect(body.twoFactorRedirect).toBe(true);
});

test('the password alone does not open an account with a passkey', async () => {
  const person = await addPerson();
  const { authenticator } = await register(world, person);
  const body = { email: person.email, password: PASSWORD };
  const refused = await authCall(world, '/sign-in/email', { body, address: newAddress() });
  expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'PASSKEY_REQUIRED', '']);
  expect((await signInWithPasskey(world, authenticator)).status).toBe(200);
});

test('a session that the password began before the passkey opens nothing that needs a recent proof', async () => {
  const person = await addPerson();
  const thief = await signIn(world, person.email);
  await register(world, person);
  expect(claimsOf(thief.authorization).fva[1]).toBe(-1);
  expect((await createToken(thief.authorization)).body.error).toBe('reauthentication_required');
  const invited = await call(world, ['POST', '/api/users/invitations'], {
    authorization: thief.authorization,
    body: { email: 'friend-of-a-thief@example.com', super: true },
  });
  expect(invited.body.error).toBe('reauthentication_required');
  const proven = await call(world, ['POST', '/api/reauthenticate'], {
    authorization: thief.authorization,
    body: { password: PASSWORD },
    address: newAddress(),
  });
  expect(proven.body.error).toBe('reauthentication_method');
  // Nor does it gain a second factor of its own, or another password.
  for (const [path, body] of [
    ['/two-factor/enable', { password: PASSWORD }],
    ['/two-factor/verify-totp', { code: '123456' }],
    ['/change-password', { currentPassword: PASSWORD, newPassword: 'the password of a thief' }],
  ] as const) {
    const refused = await authCall(world, path, { body, cookie: thief.cookie, address: newAddress() });
    expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'REAUTHENTICATION_REQUIRED']);
  }
  const added = await register(world, thief);
  expect([added.status, added.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('an app that was being set up when the passkey came is not turned on by the password', async () => {
  const person = await addPerson();
  const thief = await signIn(world, person.email);
  const enabled = await authCall(world, '/two-factor/enable', {
    body: { password: PASSWORD },
    cookie: thief.cookie,
    address: newAddress(),
  });
  await register(world, person);
  const verified = await authCall(world, '/two-factor/verify-totp', {
    body: { code: await totpCode(enabled.body.totpURI) },
    cookie: thief.cookie,
    address: newAddress(),
  });
  expect([verified.status, verified.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('a registration that the password began is not finished after another factor came', async () => {
  const person = await addPerson();
  const thief = await signIn(world, person.email);
  const address = newAddress();
  const options = await authCall(world, '/passkey/generate-register-options', {
    cookie: thief.cookie,
    address,
  });
  expect(options.status).toBe(200);
  await register(world, person);
  const finished = await authCall(world, '/passkey/verify-registration', {
    cookie: `${thief.cookie}; ${options.cookies}`,
    address,
    body: { response: createAuthenticator().register(options.body), name: 'Theirs' },
  });
  expect([finished.status, finished.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:4000' }],
  ['another domain', { relyingPartyId: 'evil.example' }],
  ['an unverified user', { isUnverified: true }],
  ['another challenge', { challenge: 'AAAA' }],
])('%s is refused, in a registration and in a sign-in', async (_what, lies) => {
  const person = await addPerson();
  const refused = await register(world, person, { lies });
  expect([400, 401]).toContain(refused.status);
  expect(await passkeysOf(person)).toEqual([]);
  const { authenticator } = await register(world, person);
  const dishonest = await signInWithPasskey(world, authenticator, { lies });
  expect([400, 401]).toContain(dishonest.status);
  expect(dishonest.cookies).not.toContain('session_token');
  expect((await signInWithPasskey(world, authenticator)).status).toBe(200);
});

const passkeysOf = async (person: Person) =>
  (await call(world, ['GET', '/api/me/second-factor'], person)).body.data.passkeys;

test("another key's signature is refused, and so is an unregistered passkey", async () => {
  const { authenticator } = await register(world, await addPerson());
  const signsWith = createAuthenticator();
  expect([400, 401]).toContain(
    (await signInWithPasskey(world, authenticator, { lies: { signsWith } })).status,
  );
  const unknown = await signInWithPasskey(world, createAuthenticator());
  expect([unknown.status, unknown.body.code]).toEqual([401, 'PASSKEY_NOT_FOUND']);
});

test('an answer counts once, for the browser that asked, within five minutes', async () => {
  const { authenticator } = await register(world, await addPerson());
  const address = newAddress();
  const ask = () => authCall(world, '/passkey/generate-authenticate-options', { address });
  const send = (cookie: string, response: object) =>
    authCall(world, '/passkey/verify-authentication', { cookie, address, body: { response } });
  const options = await ask();
  const response = authenticator.sign(options.body);
  // Another browser has a challenge of its own.
  expect((await send((await ask()).cookies, response)).status).toBe(400);
  expect((await send('', response)).status).toBe(400);
  expect((await send(options.cookies, response)).status).toBe(200);
  expect((await send(options.cookies, response)).status).toBe(400);
  const late = await ask();
  await world.pool.query(
    `UPDATE identity.verification SET expires_at = now() - interval '1 second' WHERE value LIKE '%authentication%'`,
  );
  expect((await send(late.cookies, authenticator.sign(late.body))).status).toBe(400);
  // The challenge of a registration does not sign in.
  const { authorization: _, ...person } = await addPerson();
  const registration = await authCall(world, '/passkey/generate-register-options', {
    cookie: person.cookie,
    address,
  });
  expect((await send(registration.cookies, authenticator.sign(registration.body))).status).toBe(400);
});

test('a disabled account does not sign in', async () => {
  const person = await addPerson();
  const { authenticator } = await register(world, person);
  const boss = await signInAs(world, 'super');
  const disabled = await call(world, ['PATCH', `/api/users/${person.id}`], {
    authorization: boss.authorization,
    body: { disabled: true },
  });
  expect(disabled.status).toBe(200);
  const refused = await signInWithPasskey(world, authenticator);
  expect([refused.status, refused.body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect(refused.cookies).not.toContain('session_token');
});

test('failures lock the account for one network, and no other one', async () => {
  const { authenticator } = await register(world, await addPerson());
  const address = newAddress();
  for (let attempt = 0; attempt < 10; attempt += 1)
    await signInWithPasskey(world, authenticator, { address, lies: { isUnverified: true } });
  const refused = await signInWithPasskey(world, authenticator, { address });
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  expect((await signInWithPasskey(world, authenticator)).status).toBe(200);
});

test('a registration has no other fields, a name of some length, and a passkey of its own', async () => {
  const person = await addPerson();
  const address = newAddress();
  const query = await authCall(world, '/passkey/generate-register-options?name=x', {
    cookie: person.cookie,
    address,
  });
  expect([query.status, query.body.code]).toEqual([400, 'FIELD_NOT_ALLOWED']);
  const stranger = await authCall(world, '/passkey/generate-register-options', { address });
  expect(stranger.status).toBe(403);
  for (const name of ['', '   ', 'x'.repeat(61)])
    expect((await register(world, person, { name })).body.code).toBe('INVALID_INPUT');
  const session = await authCall(world, '/passkey/verify-registration', {
    cookie: person.cookie,
    address,
    body: { response: {}, name: 'x', createSession: true },
  });
  expect([session.status, session.body.code]).toEqual([400, 'FIELD_NOT_ALLOWED']);

  const { authenticator } = await register(world, person, { name: '  Laptop  ' });
  expect((await passkeysOf(person)).map(({ name }: { name: string }) => name)).toEqual(['Laptop']);
  // Its id under another account would keep the first one from signing in.
  const copied = await register(world, await addPerson(), { authenticator });
  expect([copied.status, copied.body.code]).toEqual([409, 'PASSKEY_KNOWN']);
  expect((await signInWithPasskey(world, authenticator)).status).toBe(200);
});

test('the library lists, renames and removes nothing here', async () => {
  const { cookie } = await addPerson();
  for (const [path, body] of [
    ['/passkey/list-user-passkeys', undefined],
    ['/passkey/update-passkey', { id: 'x', name: 'y' }],
    ['/passkey/delete-passkey', { id: 'x' }],
  ] as const)
    expect((await authCall(world, path, { cookie, ...(body && { body }) })).status).toBe(404);
});
