import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { accept, invite, PASSWORD, type Person } from '../../../../../../tests/support/identity/people.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

let world: World;
let addresses = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.offsetMs = 0;
});

const MINUTE_MS = 60_000;
const newAddress = () => `10.9.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const prove = (authorization: string, body: object, address = newAddress()) =>
  call(world, ['POST', '/api/reauthenticate'], { authorization, body, address });
/** A harmless call that requires recent authentication. */
const sensitive = (authorization: string) =>
  call(world, ['PATCH', '/api/users/00000000-0000-4000-8000-00000000dead'], {
    authorization,
    body: { admin: false },
  });
const renewed = async (cookie: string) => `Bearer ${await tokenOf(world, cookie)}`;
const claimsOf = (authorization: string) =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());

async function addPerson(email: string): Promise<Person> {
  const { authorization } = await signInAs(world, 'super');
  return accept(world, { email, ...(await invite(world, authorization, { email, super: true })) });
}
const setFactors = (person: { email: string }, minutesAgo: number) =>
  world.pool.query(
    `UPDATE identity.session SET authenticated_at = $2 WHERE user_id = (SELECT id FROM identity."user" WHERE email = $1)`,
    [person.email, new Date(world.now().getTime() - minutesAgo * MINUTE_MS)],
  );

test('a sign-in counts for ten minutes, regardless of later tokens', async () => {
  const { authorization, cookie } = await signInAs(world, 'super');
  expect(claimsOf(authorization).fva).toEqual([expect.toSatisfy((minutes) => minutes <= 1), -1]);
  expect((await sensitive(authorization)).status).toBe(404);
  world.clock.offsetMs = 8 * MINUTE_MS;
  expect((await sensitive(await renewed(cookie))).status).toBe(404);
  world.clock.offsetMs = 10 * MINUTE_MS + 1_000;
  const late = await renewed(cookie);
  expect((await call(world, ['GET', '/api/users'], { authorization: late })).status).toBe(200);
  const refused = await sensitive(late);
  expect([refused.status, refused.body.error]).toEqual([403, 'reauthentication_required']);
  expect(refused.body.message).toMatch(/Confirm that it is you/);
});

test('a password renews the proof, for the new token only', async () => {
  const person = await addPerson('proves@example.com');
  await setFactors(person, 30);
  const stale = await renewed(person.cookie);
  expect((await sensitive(stale)).status).toBe(403);
  const me = await call(world, ['GET', '/api/me'], { authorization: stale });
  expect(me.body.data.reauthenticates_by).toBe('password');

  expect((await prove(stale, { password: 'wrong' })).body.error).toBe('reauthentication_failed');
  expect((await prove(stale, { one_click: true })).body.error).toBe('reauthentication_method');
  expect((await prove(stale, { code: '123456' })).body.error).toBe('reauthentication_method');
  for (const body of [{}, { password: 'a', code: '1' }, { password: PASSWORD, minutes: 60 }])
    expect((await prove(stale, body)).status).toBe(400);
  expect((await sensitive(await renewed(person.cookie))).status).toBe(403);

  const proven = await prove(stale, { password: PASSWORD });
  expect(proven.status).toBe(200);
  expect(proven.headers['cache-control']).toBe('no-store');
  expect((await sensitive(`Bearer ${proven.body.token}`)).status).toBe(404);
  expect((await sensitive(await renewed(person.cookie))).status).toBe(404);
  // An earlier token keeps its earlier proof.
  expect((await sensitive(stale)).status).toBe(403);

  const rows = await asOwner(
    world.ownerUrl,
    'SELECT action, after FROM audit_entry WHERE target_id = $1 ORDER BY seq',
    [person.id],
  );
  expect(rows.slice(-2)).toEqual([
    { action: 'user.reauthentication_refused', after: { by: 'code', why: 'reauthentication_method' } },
    { action: 'user.reauthenticated', after: { by: 'password' } },
  ]);
  expect(JSON.stringify(rows) + world.logged.join('')).not.toContain(PASSWORD);
});

test('another session or person proves nothing', async () => {
  const person = await addPerson('two-sessions@example.com');
  await setFactors(person, 30);
  const first = await renewed(person.cookie);
  const { body, cookies } = await authCall(world, '/sign-in/email', {
    body: { email: person.email, password: PASSWORD },
    address: newAddress(),
  });
  expect(body.user.email).toBe(person.email);
  expect((await sensitive(await renewed(cookies))).status).toBe(404);
  expect((await sensitive(first)).status).toBe(403);
});

test('with a second factor the code counts, once, and the password does not', async () => {
  const person = await addPerson('second-factor@example.com');
  const enabled = await authCall(world, '/two-factor/enable', {
    body: { password: PASSWORD },
    cookie: person.cookie,
    address: newAddress(),
  });
  const uri: string = enabled.body.totpURI;
  const enrolling = await totpCode(uri);
  const enrolled = await authCall(world, '/two-factor/verify-totp', {
    body: { code: enrolling },
    cookie: person.cookie,
    address: newAddress(),
  });
  expect(enrolled.status).toBe(200);
  const token = await renewed(enrolled.cookies);
  expect(claimsOf(token).fva[1]).toBeLessThanOrEqual(1);
  expect((await sensitive(token)).status).toBe(404);

  await world.pool.query('UPDATE identity.session SET second_factor_at = $2 WHERE user_id = $1', [
    person.id,
    new Date(Date.now() - 11 * MINUTE_MS),
  ]);
  const stale = await renewed(enrolled.cookies);
  expect((await sensitive(stale)).body.error).toBe('reauthentication_required');
  expect((await prove(stale, { password: PASSWORD })).body.error).toBe('reauthentication_method');
  const code = await totpCode(uri);
  expect((await prove(stale, { code: '000000' })).body.error).toBe('reauthentication_failed');
  expect((await prove(stale, { code: enrolling })).body.error).toBe('reauthentication_code_used');
  const proven = await prove(stale, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect(proven.status).toBe(200);
  expect((await sensitive(`Bearer ${proven.body.token}`)).status).toBe(404);
  expect((await prove(stale, { code })).body.error).toBe('reauthentication_code_used');
});

test('guesses are throttled like those of the sign-in, and count together with them', async () => {
  const person = await addPerson('guessed@example.com');
  const address = newAddress();
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await prove(person.authorization, { password: `wrong ${attempt}` }, address)).status).toBe(403);
  const refused = await prove(person.authorization, { password: PASSWORD }, address);
  expect([refused.status, refused.body.error]).toEqual([429, 'too_many_attempts']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  const signIn = await authCall(world, '/sign-in/email', {
    body: { email: person.email, password: PASSWORD },
    address,
  });
  expect(signIn.status).toBe(429);
});

test('personas prove themselves by one click, in the demo world and on this machine only', async () => {
  const { authorization, cookie } = await signInAs(world, 'staff');
  expect((await call(world, ['GET', '/api/me'], { authorization })).body.data.reauthenticates_by).toBe(
    'one_click',
  );
  world.clock.offsetMs = 11 * MINUTE_MS;
  const late = await renewed(cookie);
  const elsewhere = await call(world, ['POST', '/api/reauthenticate'], {
    authorization: late,
    body: { one_click: true },
    headers: { host: 'console.example.com' },
  });
  expect(elsewhere.body.error).toBe('reauthentication_method');
  const proven = await prove(late, { one_click: true }, '127.0.0.1');
  expect(proven.status).toBe(200);
  expect(claimsOf(`Bearer ${proven.body.token}`).fva[0]).toBeLessThanOrEqual(1);
});

test('a token without the ages of its factors is none of ours', async () => {
  const { SignJWT, importJWK } = await import('jose');
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const { userId, sessionId } = await signInAs(world, 'super');
  const { rows } = await world.pool.query('SELECT id, private_key FROM identity.jwks');
  const key = 'test-secret-0123456789-0123456789-0123456789';
  const jwk = JSON.parse(await symmetricDecrypt({ key, data: JSON.parse(rows[0].private_key) }));
  const sign = async (fva: unknown) => {
    const now = Math.floor(Date.now() / 1000);
    const body = {
      sub: userId,
      sid: sessionId,
      iss: 'copydesk',
      aud: 'copydesk',
      iat: now,
      exp: now + 300,
      fva,
    };
    const signed = new SignJWT(body).setProtectedHeader({ alg: 'EdDSA', kid: rows[0].id });
    return `Bearer ${await signed.sign(await importJWK(jwk, 'EdDSA'))}`;
  };
  expect((await sensitive(await sign([0, -1]))).status).toBe(404);
  for (const fva of [undefined, 0, [0], ['0', '0'], 'fresh'])
    expect((await sensitive(await sign(fva))).body.error).toBe('invalid_token');
});
