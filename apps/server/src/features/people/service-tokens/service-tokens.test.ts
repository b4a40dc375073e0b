import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { addSuperAdmin } from '../../../../../../tests/support/identity/people.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

let world: World;
let superAdmin: string;
const [ALPHA, BRAVO] = PROVIDERS.map((provider) => provider.id);
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.offsetMs = 0;
  superAdmin = (await signInAs(world, 'super')).authorization;
});

const create = (over: object = {}, authorization = superAdmin) =>
  call(world, ['POST', '/api/service-tokens'], {
    authorization,
    body: { name: 'Reporting', scopes: ['traders:read'], provider_ids: [ALPHA, BRAVO], ...over },
  });
const created = async (over: object = {}) => (await create(over)).body.data;
const verdict = async (authorization: string) => {
  const result = await world.identity.authenticate(authorization);
  return result.ok ? result.principal : result.code;
};

test('a service token opens its scopes and providers, and is never super', async () => {
  const { token, id, prefix } = await created();
  const service = {
    kind: 'service',
    id,
    name: 'Reporting',
    scopes: ['traders:read'],
    isOfSuper: true,
    flags: { admin: true, super: false, providerAccess: [ALPHA, BRAVO] },
  };
  expect(await verdict(token)).toEqual(service);
  expect(await verdict(token.replace('Bot_', 'Bot '))).toEqual(service);
  expect(token.startsWith(prefix)).toBe(true);

  const me = await call(world, ['GET', '/api/me'], { authorization: token });
  expect([me.status, me.body.error]).toEqual([403, 'service_scope_required']);
  const users = await call(world, ['GET', '/api/users'], { authorization: token });
  expect([users.status, users.body.error]).toEqual([403, 'service_scope_required']);
});

test('its secret is shown once and not stored', async () => {
  const { token } = await created({ name: 'Shown once' });
  const key = token.slice(4);
  const list = await call(world, ['GET', '/api/service-tokens'], { authorization: superAdmin });
  expect(list.body.data.map((row: { name: string }) => row.name)).toContain('Shown once');
  expect(list.text).not.toContain(key);
  const { rows } = await world.pool.query('SELECT row_to_json(t)::text AS row FROM identity.service_token t');
  expect(rows.map((row) => row.row).join()).not.toContain(key);
  expect(world.logged.join()).not.toContain(key);
});

test.each([
  'Bot',
  'Bot_',
  'Bot_short',
  `Bot_${'A'.repeat(43)}`,
  `Bot ${'A'.repeat(44)}`,
  `Bot_${'A'.repeat(42)}!`,
])('%s is refused', async (header) => {
  expect(await verdict(header)).toBe('invalid_service_token');
});

test('an expired token is refused', async () => {
  const { token } = await created({ expires_in_days: 1 });
  world.clock.offsetMs = 24 * 3600_000 - 5_000;
  expect(await verdict(token)).toMatchObject({ kind: 'service' });
  world.clock.offsetMs = 24 * 3600_000 + 5_000;
  expect(await verdict(token)).toBe('invalid_service_token');
});

test('a revoked token is refused at once; revoking twice changes nothing', async () => {
  const { token, id } = await created();
  expect(await verdict(token)).toMatchObject({ kind: 'service' });
  const revoke = () => call(world, ['DELETE', `/api/service-tokens/${id}`], { authorization: superAdmin });
  const first = await revoke();
  expect(first.status).toBe(200);
  expect(await verdict(token)).toBe('invalid_service_token');
  expect((await revoke()).body).toEqual(first.body);
  const missing = '99999999-9999-4999-8999-999999999999';
  const unknown = await call(world, ['DELETE', `/api/service-tokens/${missing}`], {
    authorization: superAdmin,
  });
  expect(unknown.status).toBe(404);
});

test('a token is marked as used at most once a minute', async () => {
  const { token, id } = await created();
  const usedAt = async () => {
    const query = 'SELECT last_used_at, xmin::text FROM identity.service_token WHERE id = $1';
    return (await asOwner(world.ownerUrl, query, [id]))[0] as { last_used_at: Date };
  };
  await verdict(token);
  const first = await usedAt();
  world.clock.offsetMs = 50_000;
  await verdict(token);
  expect(await usedAt()).toEqual(first);
  world.clock.offsetMs = 61_000;
  await Promise.all([verdict(token), verdict(token), verdict(token)]);
  expect((await usedAt()).last_used_at.getTime() - first.last_used_at.getTime()).toBeGreaterThan(60_000);
});

test('a token gives no more rights than its owner has', async () => {
  const { token } = await created();
  const setOwner = (values: string) =>
    world.pool.query(`UPDATE identity.user_access SET ${values} WHERE user_id =
      (SELECT id FROM identity."user" WHERE email = 'super@demo.example')`);
  await setOwner(`super = false, super_since = NULL, confirmed_at = NULL, provider_ids = '{${ALPHA}}'`);
  expect(await verdict(token)).toMatchObject({ flags: { providerAccess: [ALPHA] } });
  await setOwner('admin = false');
  expect(await verdict(token)).toBe('invalid_service_token');
  await setOwner("admin = true, super = true, super_since = now(), provider_ids = '{}'");
});

test('a token of a disabled owner is refused at once and permanently', async () => {
  const second = await addSuperAdmin(world, superAdmin, 'second@demo.example');
  expect(second.cookie).toContain('session_token=');
  const own = (await create({}, second.authorization)).body.data.token;
  expect(await verdict(own)).toMatchObject({ kind: 'service' });
  const change = (body: object) =>
    call(world, ['PATCH', `/api/users/${second.id}`], { authorization: superAdmin, body });
  expect((await change({ disabled: true })).status).toBe(200);
  expect(await verdict(own)).toBe('invalid_service_token');
  expect(await verdict(second.authorization)).toBe('account_disabled');
  expect((await giveAccess(world, superAdmin, second.id, { disabled: false })).status).toBe(200);
  expect(await verdict(own)).toBe('invalid_service_token');
  expect(await verdict(second.authorization)).toBe('invalid_token');
});

test('only super admins create tokens, for existing providers and scopes', async () => {
  const staff = await signInAs(world, 'staff');
  expect((await create({}, staff.authorization)).body.error).toBe('super_admin_required');
  const missing = '99999999-9999-4999-8999-999999999999';
  expect((await create({ provider_ids: [missing] })).status).toBe(404);
  expect((await create({ scopes: ['everything'] })).status).toBe(400);
  expect((await create({ super: true })).status).toBe(400);
});
