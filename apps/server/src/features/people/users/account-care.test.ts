import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { accept, invite, PASSWORD, signIn } from '../../../../../../tests/support/identity/people.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

let world: World;
let superAdmin: Awaited<ReturnType<typeof signInAs>>;
beforeAll(async () => {
  world = await createWorld();
  superAdmin = await signInAs(world, 'super');
});
afterAll(() => world.close());

const as = (who: { authorization: string }) => ({
  get: (url: string) => call(world, ['GET', url], who),
  send: (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    call(world, [method, url], { authorization: who.authorization, ...(body && { body }) }),
});
const detailOf = async (id: string) => (await as(superAdmin).get(`/api/users/${id}`)).body.data;
const emails = async (query: string) =>
  (await as(superAdmin).get(`/api/users?${query}`)).body.data.map(({ email }: { email: string }) => email);

test('an account shows its sessions, who let it in, and when it was last seen', async () => {
  const email = 'vera@example.com';
  const invited = await invite(world, superAdmin.authorization, { email });
  const before = await detailOf(invited.id);
  expect(before).toMatchObject({ active: false, last_seen_at: null, sessions: [] });
  expect(Date.parse(before.invitation_expires_at)).toBeGreaterThan(Date.now());
  const vera = await accept(world, { ...invited, email });
  await as(vera).get('/api/me');
  const after = await detailOf(vera.id);
  expect(after).toMatchObject({
    active: true,
    invitation_expires_at: null,
    sponsors: [{ act: 'invited', by: 'super@demo.example' }],
    sessions: [{ is_own: false }],
  });
  expect(Math.abs(Date.parse(after.last_seen_at) - world.now().getTime())).toBeLessThan(60_000);
  const own = await detailOf(superAdmin.userId);
  expect(own.sponsored).toContainEqual(expect.objectContaining({ email, act: 'invited' }));
  expect(own.sessions.filter(({ is_own }: { is_own: boolean }) => is_own)).toHaveLength(1);
  expect((await as(superAdmin).get('/api/users/nobody')).status).toBe(404);
});

test('being seen is written once in five minutes', async () => {
  const { authorization, userId } = await signInAs(world, 'staff');
  const seen = async () => {
    const query = 'SELECT seen_at FROM identity.user_seen WHERE user_id = $1';
    const [row] = await asOwner<{ seen_at: Date }>(world.ownerUrl, query, [userId]);
    return row?.seen_at.getTime() as number;
  };
  await as({ authorization }).get('/api/me');
  const first = await seen();
  for (const [seconds, isWritten] of [
    [240, false],
    [120, true],
  ] as const) {
    world.clock.offsetMs += seconds * 1000;
    await as({ authorization: (await signInAs(world, 'staff')).authorization }).get('/api/me');
    expect((await seen()) > first).toBe(isWritten);
  }
  world.clock.offsetMs = 0;
});

test('the list is narrowed by role, state and provider', async () => {
  const provider = PROVIDERS[2]?.id;
  await as(superAdmin).send('POST', '/api/users/invitations', {
    email: 'narrow@example.com',
    provider_access: [provider],
  });
  expect(await emails('state=invited&search=narrow')).toEqual(['narrow@example.com']);
  expect(await emails(`provider_id=${provider}`)).toEqual(['staff-multi@demo.example', 'narrow@example.com']);
  expect(await emails('role=super')).toEqual(['super@demo.example', 'super-2@demo.example']);
  expect(await emails('role=not_admin')).toEqual(['not-admin@demo.example']);
  expect(await emails('role=no_access&state=active')).toContain('no-access@demo.example');
  expect(await emails('state=unconfirmed')).toEqual([]);
  await invite(world, superAdmin.authorization, { email: 'fresh@example.com', super: true });
  expect(await emails('state=unconfirmed')).toEqual(['fresh@example.com']);
});

test('an invitation is renewed with the same access until it is accepted', async () => {
  const email = 'late@example.com';
  const { id, token } = await invite(world, superAdmin.authorization, { email });
  const other = await signInAs(world, 'super-2');
  const renewed = await as(other).send('POST', `/api/users/${id}/invitation`);
  expect(renewed.status).toBe(201);
  const again = /token=(.+)$/.exec(renewed.body.data.link)?.[1] ?? '';
  await expect(accept(world, { id, token, email })).rejects.toThrow('invitation_invalid');
  await accept(world, { id, token: again, email });
  expect((await detailOf(id)).sponsors.map(({ by }: { by: string }) => by)).toEqual([
    'super-2@demo.example',
    'super@demo.example',
  ]);
  expect((await as(other).send('POST', `/api/users/${id}/invitation`)).body.error).toBe(
    'invitation_accepted',
  );
});

test('sessions end at once, everywhere', async () => {
  const staff = await signInAs(world, 'staff-multi');
  await signInAs(world, 'staff-multi');
  expect((await as(staff).get('/api/me')).status).toBe(200);
  const { body } = await as(superAdmin).send('DELETE', `/api/users/${staff.userId}/sessions`);
  expect(body.data.ended).toBeGreaterThanOrEqual(2);
  expect((await as(staff).get('/api/me')).body.error).toBe('invalid_token');
  expect((await detailOf(staff.userId)).sessions).toEqual([]);
});

test('a lost second factor is removed by another super admin, and with it the sessions', async () => {
  const email = 'lost@example.com';
  const lost = await accept(world, {
    email,
    ...(await invite(world, superAdmin.authorization, { email })),
  });
  const enabled = await authCall(world, '/two-factor/enable', {
    body: { password: PASSWORD },
    cookie: lost.cookie,
  });
  await authCall(world, '/two-factor/verify-totp', {
    body: { code: await totpCode(enabled.body.totpURI) },
    cookie: lost.cookie,
  });
  expect((await detailOf(lost.id)).two_factor_enabled).toBe(true);
  const path = `/api/users/${lost.id}/second-factor`;
  expect((await as(superAdmin).send('DELETE', path)).body.data.two_factor_enabled).toBe(false);
  expect((await as(lost).get('/api/me')).status).toBe(401);
  expect((await as(await signIn(world, email)).get('/api/me')).status).toBe(200);
  const own = await as(superAdmin).send('DELETE', `/api/users/${superAdmin.userId}/second-factor`);
  expect(own.body.error).toBe('own_account');
});
