import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
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
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { removeSecondFactor } from '../users/operator.service.ts';

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

async function addPerson(options: { super?: boolean } = { super: true }): Promise<Person> {
  const { authorization } = await signInAs(world, 'super');
  const email = `profile-${++count}@example.com`;
  return accept(world, { email, ...(await invite(world, authorization, { email, ...options })) });
}
const read = (authorization: string, headers = {}) =>
  call(world, ['GET', '/api/me/second-factor'], { authorization, headers });
const rename = (authorization: string, id: string, name: string) =>
  call(world, ['PATCH', `/api/me/passkeys/${id}`], { authorization, body: { name } });
const remove = (authorization: string, id: string) =>
  call(world, ['DELETE', `/api/me/passkeys/${id}`], { authorization });
const auditOf = (person: Person) =>
  asOwner(
    world.ownerUrl,
    `SELECT action, before, after FROM audit_entry WHERE target_id = $1 AND action LIKE 'user.passkey%' ORDER BY seq`,
    [person.id],
  );

test('a person lists, renames and removes passkeys, and the audit has it', async () => {
  const person = await addPerson();
  expect((await read(person.authorization)).body.data).toEqual({
    authenticator_app: false,
    backup_codes_left: null,
    passkeys: [],
  });
  const { authenticator } = await register(world, person);
  const [added] = (await read(person.authorization)).body.data.passkeys;
  expect(added).toMatchObject({ name: 'Laptop', last_used_at: null });
  const { authorization } = await signInWithPasskey(world, authenticator);
  expect((await read(authorization)).body.data.passkeys[0].last_used_at).toMatch(/^\d{4}-.*Z$/);

  for (const name of ['', ' ', 'x'.repeat(61)])
    expect((await rename(authorization, added.id, name)).status).toBe(400);
  expect((await rename(authorization, added.id, ' Desk key ')).body.data.name).toBe('Desk key');
  expect((await remove(authorization, added.id)).status).toBe(200);
  expect((await remove(authorization, added.id)).status).toBe(404);
  expect((await signInWithPasskey(world, authenticator)).status).toBe(401);
  expect((await call(world, ['GET', '/api/me'], { authorization })).body.data.two_factor_enabled).toBe(false);
  expect(await auditOf(person)).toEqual([
    { action: 'user.passkey_added', before: null, after: { name: 'Laptop' } },
    { action: 'user.passkey_renamed', before: { name: 'Laptop' }, after: { name: 'Desk key' } },
    { action: 'user.passkey_removed', before: { name: 'Desk key' }, after: null },
  ]);
});

test('adding and removing one needs a recent proof with the strongest factor', async () => {
  const person = await addPerson();
  world.clock.offsetMs = 10 * MINUTE_MS + 1_000;
  const stale = await register(world, person);
  expect([stale.status, stale.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  world.clock.offsetMs = 0;
  const byPassword = await signIn(world, person.email);
  const { authenticator } = await register(world, person);
  const [{ id }] = (await read(person.authorization)).body.data.passkeys;
  expect((await remove(byPassword.authorization, id)).body.error).toBe('reauthentication_required');
  const strong = await signInWithPasskey(world, authenticator);
  // An old session adds one as well, once its person has proven itself again.
  await world.pool.query(
    `UPDATE identity.session SET created_at = now() - interval '1 hour' WHERE user_id = $1`,
    [person.id],
  );
  expect((await register(world, strong, { name: 'Phone' })).status).toBe(200);
  world.clock.offsetMs = 10 * MINUTE_MS + 1_000;
  const late = `Bearer ${await tokenOf(world, strong.cookie)}`;
  expect((await remove(late, id)).body.error).toBe('reauthentication_required');
  expect((await read(late)).body.data.passkeys).toHaveLength(2);
});

test('the session that adds a passkey has proven it', async () => {
  const person = await addPerson();
  await register(world, person);
  const [{ id }] = (await read(person.authorization)).body.data.passkeys;
  // A token of before says nothing about it.
  expect((await remove(person.authorization, id)).body.error).toBe('reauthentication_required');
  expect((await register(world, person, { name: 'Phone' })).status).toBe(200);
  expect((await remove(`Bearer ${await tokenOf(world, person.cookie)}`, id)).status).toBe(200);
});

test('an account with an authenticator app adds a passkey only after a code', async () => {
  const person = await enrol(world, await addPerson());
  await world.pool.query('UPDATE identity.session SET second_factor_at = NULL WHERE user_id = $1', [
    person.id,
  ]);
  expect((await register(world, person)).body.code).toBe('REAUTHENTICATION_REQUIRED');
  const proven = await call(world, ['POST', '/api/reauthenticate'], {
    authorization: `Bearer ${await tokenOf(world, person.cookie)}`,
    body: { code: await totpCode(person.uri) },
    address: newAddress(),
  });
  expect(proven.status).toBe(200);
  expect((await register(world, person)).status).toBe(200);
});

test('passkeys of others are not found, and there are 20 at most', async () => {
  const person = await addPerson();
  await register(world, person);
  const [{ id }] = (await read(person.authorization)).body.data.passkeys;
  const other = await addPerson();
  expect((await rename(other.authorization, id, 'Mine now')).status).toBe(404);
  expect((await remove(other.authorization, id)).status).toBe(404);
  await world.pool.query(
    `INSERT INTO identity.passkey (user_id, name, credential_id, public_key, counter, device_type, backed_up)
     SELECT $1, 'Key ' || n, 'key-' || n, '', 0, 'singleDevice', false FROM generate_series(1, 20) n`,
    [other.id],
  );
  await world.pool.query('UPDATE identity.session SET second_factor_at = now() WHERE user_id = $1', [
    other.id,
  ]);
  const full = await register(world, other);
  expect([full.status, full.body.code]).toEqual([409, 'TOO_MANY_PASSKEYS']);
});

test('another super admin, and an operator, remove passkeys with everything else and end the sessions', async () => {
  const boss = await signInAs(world, 'super');
  const ways = [
    (person: Person) => call(world, ['DELETE', `/api/users/${person.id}/second-factor`], boss),
    (person: Person) =>
      world.db.write(WHOLE_SCOPE, { kind: 'system', id: 'operator', name: 'Operator' }, (tx) =>
        removeSecondFactor(tx, person.email, world.now()),
      ),
  ];
  for (const removeFactors of ways) {
    const person = await enrol(world, await addPerson());
    const { authenticator } = await register(world, person);
    const session = await signInWithPasskey(world, authenticator);
    const listed = await call(world, ['GET', `/api/users/${person.id}`], boss);
    expect(listed.body.data.two_factor_enabled).toBe(true);
    await removeFactors(person);
    world.identity.forget(person.id);
    expect((await signInWithPasskey(world, authenticator)).status).toBe(401);
    expect((await read(session.authorization)).status).toBe(401);
    const after = await call(world, ['GET', `/api/users/${person.id}`], boss);
    expect(after.body.data).toMatchObject({ two_factor_enabled: false, sessions: [] });
    const fresh = await signIn(world, person.email);
    expect((await read(fresh.authorization)).body.data).toMatchObject({
      authenticator_app: false,
      passkeys: [],
    });
  }
});

test('an account with a passkey alone counts as having a second factor for super admins', async () => {
  const boss = await signInAs(world, 'super');
  const person = await addPerson();
  await register(world, person);
  const list = await call(world, ['GET', `/api/users?search=${person.email}`], boss);
  expect(list.body.data[0].two_factor_enabled).toBe(true);
});

test('a view of another person reaches none of it', async () => {
  const boss = await signInAs(world, 'super');
  const person = await addPerson({ super: false });
  await giveAccess(world, boss.authorization, person.id, {
    provider_access: ['00000000-0000-4000-8000-000000000001'],
  });
  await register(world, person);
  const [{ id }] = (await read(person.authorization)).body.data.passkeys;
  const opened = await call(world, ['POST', `/api/users/${person.id}/view-as`], boss);
  expect(opened.status).toBe(201);
  const headers = { 'x-view-as': person.id };
  const seen = await read(boss.authorization, headers);
  expect([seen.status, seen.body.error]).toEqual([403, 'person_required']);
  for (const [method, url, body] of [
    ['PATCH', `/api/me/passkeys/${id}`, { name: 'Boss' }],
    ['DELETE', `/api/me/passkeys/${id}`, undefined],
    ['POST', '/api/reauthenticate/passkey', undefined],
  ] as const) {
    const refused = await call(world, [method, url], {
      authorization: boss.authorization,
      headers,
      ...(body && { body }),
    });
    expect(refused.body.error).toBe('view_as_read_only');
  }
});

test('backup codes are counted, and renewed with a code: the old ones stop working', async () => {
  const person = await addPerson();
  const cookie = { cookie: person.cookie, address: newAddress() };
  const enabled = await authCall(world, '/two-factor/enable', { body: { password: PASSWORD }, ...cookie });
  // Not counted before the app is verified.
  expect((await read(person.authorization)).body.data.backup_codes_left).toBeNull();
  const uri: string = enabled.body.totpURI;
  const verified = await authCall(world, '/two-factor/verify-totp', {
    body: { code: await totpCode(uri) },
    ...cookie,
  });
  const authorization = `Bearer ${await tokenOf(world, verified.cookies)}`;
  expect((await read(authorization)).body.data).toMatchObject({
    authenticator_app: true,
    backup_codes_left: 10,
  });

  const renew = (body: object) =>
    authCall(world, '/two-factor/generate-backup-codes', {
      body: { password: PASSWORD, ...body },
      cookie: verified.cookies,
      address: newAddress(),
    });
  expect((await renew({})).body.code).toBe('CODE_REQUIRED');
  expect((await renew({ code: '000000' })).body.code).toBe('INVALID_CODE');
  const renewed = await renew({ code: await totpCode(uri) });
  expect(renewed.status).toBe(200);
  expect(renewed.body.backupCodes).toHaveLength(10);

  const signInWith = async (code: string) => {
    const address = newAddress();
    const { cookies } = await authCall(world, '/sign-in/email', {
      body: { email: person.email, password: PASSWORD },
      address,
    });
    return authCall(world, '/two-factor/verify-backup-code', { body: { code }, cookie: cookies, address });
  };
  expect((await signInWith(enabled.body.backupCodes[0])).status).toBe(401);
  expect((await signInWith(renewed.body.backupCodes[0])).status).toBe(200);
  expect((await read(authorization)).body.data.backup_codes_left).toBe(9);
});
