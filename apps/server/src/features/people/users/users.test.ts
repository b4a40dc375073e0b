import { PERSON_DEFAULTS } from '@copydesk/domain/settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { changeUser } from './users.service.ts';

let world: World;
let superAdmin: Awaited<ReturnType<typeof signInAs>>;
beforeAll(async () => {
  world = await createWorld();
  superAdmin = await signInAs(world, 'super');
  await world.db.write({ kind: 'all' }, { kind: 'system', id: 'test', name: 'Test' }, async (tx) => {
    for (const { id, name } of PROVIDERS.slice(0, 2)) {
      const community = await tx.sql
        .insertInto('community')
        .values({ name: `${name} traders` })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.sql
        .insertInto('community_provider')
        .values({ community_id: community.id, provider_id: id })
        .execute();
    }
  });
});
afterAll(() => world.close());

const change = (id: string, body: object, authorization = superAdmin.authorization) =>
  giveAccess(world, authorization, id, body);
const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map((row) => row.name);

test('a person gets its own identity and providers', async () => {
  const multi = await signInAs(world, 'staff-multi');
  const me = await call(world, ['GET', '/api/me'], multi);
  expect(me.body.data).toEqual({
    id: multi.userId,
    email: 'staff-multi@demo.example',
    name: 'Staff of three providers',
    admin: true,
    super: false,
    two_factor_enabled: false,
    reauthenticates_by: 'one_click',
    viewed_by: null,
    organization: null,
    organizations: PROVIDERS.slice(0, 3).map(({ id, name }) => ({ id, name })),
    providers: PROVIDERS.slice(0, 3).map(({ id, name }) => ({ id, name, role: 'staff' })),
    settings: PERSON_DEFAULTS,
    lists: {},
    default_views: {},
  });
  expect((await call(world, ['GET', '/api/me'], superAdmin)).body.data).toMatchObject({
    super: true,
    providers: [],
  });
  const nobody = await signInAs(world, 'not-admin');
  expect((await call(world, ['GET', '/api/me'], nobody)).body.data).toMatchObject({ admin: false });
});

test('removed flags end with the next request', async () => {
  const multi = await signInAs(world, 'staff-multi');
  const providers = async () => (await call(world, ['GET', '/api/me'], multi)).body.data.providers.length;
  expect(await providers()).toBe(3);
  const answer = await change(multi.userId, { provider_access: [PROVIDERS[3]?.id] });
  expect(answer.body.data).toMatchObject({ provider_access: [PROVIDERS[3]?.id], admin: true, super: false });
  expect(await providers()).toBe(1);
});

test('a disabled person is refused from the next request on, and cannot enable their own account', async () => {
  const gone = await signInAs(world, 'not-admin');
  expect((await change(gone.userId, { disabled: true })).status).toBe(200);
  const refused = await call(world, ['GET', '/api/me'], gone);
  expect([refused.status, refused.body.error]).toEqual([401, 'account_disabled']);
  await expect(signInAs(world, 'not-admin')).rejects.toThrow();
  expect((await change(gone.userId, { disabled: false })).status).toBe(200);
  expect((await call(world, ['GET', '/api/me'], gone)).body.error).toBe('invalid_token');
  expect((await signInAs(world, 'not-admin')).userId).toBe(gone.userId);
});

test('one super admin remains, even when two demote each other at once', async () => {
  await change((await signInAs(world, 'super-2')).userId, { super: false });
  for (const body of [{ super: false }, { disabled: true }, { admin: false }])
    expect((await change(superAdmin.userId, body)).body.error).toBe('last_super_admin');

  const second = await signInAs(world, 'staff');
  expect((await change(second.userId, { super: true })).status).toBe(200);
  // Tests below the API, past the gate; neither change begins before both transactions are open.
  const bothOpen = Promise.withResolvers<void>();
  let open = 0;
  const demote = (id: string) =>
    world.db.write({ kind: 'all' }, { kind: 'system', id: 'test', name: 'Test' }, async (tx) => {
      open += 1;
      if (open === 2) bothOpen.resolve();
      await bothOpen.promise;
      await changeUser(tx, id, { super: false }, world.now());
    });
  const outcomes = await Promise.allSettled([demote(superAdmin.userId), demote(second.userId)]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  const { rows } = await world.pool.query('SELECT user_id FROM identity.user_access WHERE super');
  expect(rows).toHaveLength(1);
  await world.pool.query(
    `UPDATE identity.user_access SET super = (user_id = $1), super_since = CASE WHEN user_id = $1 THEN now() END,
       confirmed_at = NULL WHERE user_id IN ($1, $2)`,
    [superAdmin.userId, second.userId],
  );
});

test('contradictory changes and changes of missing records are refused', async () => {
  const { userId } = await signInAs(world, 'no-access');
  const missing = '99999999-9999-4999-8999-999999999999';
  expect((await change(userId, { super: true, admin: false })).body.error).toBe('validation_failed');
  expect((await change(userId, { provider_access: [missing] })).status).toBe(404);
  expect((await change(userId, { email: 'other@example.com' } as object)).status).toBe(400);
  expect((await change(missing, { admin: true })).status).toBe(404);
  expect((await change('not-an-id', { admin: true })).status).toBe(404);
});

test('administration is closed to everyone but super admins', async () => {
  for (const persona of ['staff-multi', 'no-access', 'not-admin'] as const) {
    const { authorization, userId } = await signInAs(world, persona);
    for (const url of ['/api/users', '/api/service-tokens'])
      expect((await call(world, ['GET', url], { authorization })).status).toBe(403);
    expect((await change(userId, { super: true }, authorization)).status).toBe(403);
  }
});

test('communities of a user: its own for anyone, those of others for super admins', async () => {
  const staff = await signInAs(world, 'staff');
  await change(staff.userId, { super: false, provider_access: [PROVIDERS[0]?.id] });
  const of = (id: string, who: { authorization: string }) =>
    call(world, ['GET', `/api/users/${id}/communities`], { authorization: who.authorization });
  expect(names(await of(staff.userId, staff))).toEqual(['Alpha traders']);
  expect((await of(superAdmin.userId, staff)).status).toBe(404);
  expect(names(await of(staff.userId, superAdmin))).toEqual(['Alpha traders']);
  expect(names(await of(superAdmin.userId, superAdmin))).toEqual(['Alpha traders', 'Bravo traders']);
  expect((await of('nobody', superAdmin)).status).toBe(404);
});

test('a list page filters and counts', async () => {
  const list = (query: string) => call(world, ['GET', `/api/users?${query}`], superAdmin);
  expect((await list('limit=2')).body).toMatchObject({ meta: { total: 6 }, data: { length: 2 } });
  expect((await list('search=staff-')).body.meta.total).toBe(1);
  expect((await list('search=%25')).body.meta.total).toBe(0);
});
