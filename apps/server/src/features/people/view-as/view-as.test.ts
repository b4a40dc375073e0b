import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
let superAdmin: Awaited<ReturnType<typeof signInAs>>;
let staffId: string;
beforeAll(async () => {
  world = await createWorld();
  superAdmin = await signInAs(world, 'super');
  staffId = (await signInAs(world, 'staff')).userId;
});
afterAll(() => world.close());

const begin = (id: string, who = superAdmin) =>
  call(world, ['POST', `/api/users/${id}/view-as`], { authorization: who.authorization });
const look = (
  [method, url]: Parameters<typeof call>[1],
  {
    who = superAdmin,
    as = staffId,
    body,
  }: { who?: { authorization: string }; as?: string; body?: object } = {},
) =>
  call(world, [method, url], {
    authorization: who.authorization,
    headers: { 'x-view-as': as },
    ...(body && { body }),
  });

test('a super admin sees what the other user sees, and who is looking is said', async () => {
  expect((await look(['GET', '/api/me'])).body.error).toBe('view_as_ended');
  expect((await begin(staffId)).status).toBe(201);
  expect((await look(['GET', '/api/me'])).body.data).toMatchObject({
    id: staffId,
    super: false,
    providers: [{ id: PROVIDERS[0]?.id }],
    viewed_by: 'super@demo.example',
  });
  expect((await look(['GET', '/api/users'])).status).toBe(403);
  const own = await call(world, ['GET', '/api/me'], superAdmin);
  expect(own.body.data).toMatchObject({ super: true, viewed_by: null });
});

test('nothing is changed while viewing, whoever the change would be by', async () => {
  await begin(staffId);
  for (const [method, url, body] of [
    ['POST', '/api/users/invitations', { email: 'a@example.com' }],
    ['PATCH', `/api/users/${staffId}`, { super: true }],
    ['POST', '/api/reauthenticate', { one_click: true }],
    ['DELETE', '/api/view-as', undefined],
  ] as const)
    expect((await look([method, url], { ...(body && { body }) })).body.error).toBe('view_as_read_only');
});

test('the header gives nothing to anybody else, and nothing about anybody else', async () => {
  await begin(staffId);
  const other = await signInAs(world, 'super-2');
  const staff = await signInAs(world, 'staff-multi');
  expect((await look(['GET', '/api/me'], { who: other })).body.error).toBe('view_as_ended');
  expect((await look(['GET', '/api/me'], { who: staff })).body.error).toBe('view_as_ended');
  expect((await look(['GET', '/api/me'], { as: superAdmin.userId })).body.error).toBe('view_as_ended');
  expect((await look(['GET', '/api/me'], { as: "' OR 1=1 --" })).body.error).toBe('view_as_ended');
  expect((await begin(staffId, staff)).status).toBe(403);
});

test('there is nothing to view of super admins, of oneself, and without the admin flag', async () => {
  const other = await signInAs(world, 'super-2');
  const nobody = await signInAs(world, 'not-admin');
  expect((await begin(other.userId)).body.error).toBe('nothing_to_view');
  expect((await begin(nobody.userId)).body.error).toBe('nothing_to_view');
  expect((await begin(superAdmin.userId)).body.error).toBe('own_account');
  expect((await begin('nobody')).status).toBe(404);
});

test('a view ends by the viewer, after half an hour, and when the viewer or the other user loses access', async () => {
  const ended = async () => (await look(['GET', '/api/me'])).body.error;
  await begin(staffId);
  await call(world, ['DELETE', '/api/view-as'], superAdmin);
  expect(await ended()).toBe('view_as_ended');

  await begin(staffId);
  const change = (id: string, body: object, who = superAdmin) =>
    giveAccess(world, who.authorization, id, body);
  await change(staffId, { super: true });
  expect(await ended()).toBe('view_as_ended');
  await change(staffId, { super: false });

  const other = await signInAs(world, 'super-2');
  await begin(staffId, other);
  await change(other.userId, { super: false });
  expect((await look(['GET', '/api/me'], { who: other })).body.error).toBe('view_as_ended');

  await begin(staffId);
  world.clock.offsetMs += 31 * 60_000;
  superAdmin = await signInAs(world, 'super');
  expect(await ended()).toBe('view_as_ended');
  world.clock.offsetMs = 0;
  superAdmin = await signInAs(world, 'super');
});

test('the audit has when each view began and ended', async () => {
  await begin(staffId);
  await call(world, ['DELETE', '/api/view-as'], superAdmin);
  const { rows } = await world.db.read({ kind: 'all' }, (tx) =>
    tx.sql
      .selectFrom('audit_entry')
      .select(['action', 'actor_name'])
      .where('target_id', '=', staffId)
      .where('action', 'like', 'user.view%')
      .orderBy('seq', 'desc')
      .limit(2)
      .execute()
      .then((found) => ({ rows: found })),
  );
  expect(rows).toEqual([
    { action: 'user.view_ended', actor_name: 'super@demo.example' },
    { action: 'user.view_began', actor_name: 'super@demo.example' },
  ]);
});
