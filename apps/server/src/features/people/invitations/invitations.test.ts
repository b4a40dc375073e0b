import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authCall, call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import {
  accept as acceptPerson,
  invite as invitePerson,
} from '../../../../../../tests/support/identity/people.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createResetToken } from '../users/operator.service.ts';

let world: World;
let superAdmin: string;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.offsetMs = 0;
  superAdmin = (await signInAs(world, 'super')).authorization;
});

const password = 'canary-password-7f3a';
const invite = (body: object) =>
  call(world, ['POST', '/api/users/invitations'], { authorization: superAdmin, body });
const tokenIn = (link: string) => new URL(link.replace('#/', '')).searchParams.get('token') ?? '';
const acceptWith = (token: string, chosen: string) =>
  call(world, ['POST', '/api/invitations/accept'], {
    body: { token, name: 'Gesine Winter', password: chosen },
    address: '10.78.0.2',
  });
const accept = (token: string, name = 'Ina', address = '127.0.0.1') =>
  call(world, ['POST', '/api/invitations/accept'], { body: { token, name, password }, address });
const signIn = (email: string) => authCall(world, '/sign-in/email', { body: { email, password } });

test('an invited person can sign in only after accepting, and accepts once', async () => {
  const provider = PROVIDERS[1]?.id;
  const { status, body } = await invite({ email: 'Ina@Example.com', provider_access: [provider] });
  expect([status, body.data.e_mailed]).toEqual([201, false]);
  expect(body.data.link).toMatch(/^http:\/\/localhost:3000\/sign-in#\/accept\?token=[\w-]{43}$/);
  expect((await signIn('ina@example.com')).status).toBe(401);

  const token = tokenIn(body.data.link);
  const claims = await Promise.all([accept(token), accept(token), accept('wrong')]);
  expect(claims.map((claim) => claim.status).sort()).toEqual([200, 410, 410]);
  expect((await accept(token)).body.error).toBe('invitation_invalid');

  expect((await signIn('ina@example.com')).status).toBe(200);
  const list = await call(world, ['GET', '/api/users?search=INA'], { authorization: superAdmin });
  expect(list.body).toMatchObject({
    data: [
      { email: 'ina@example.com', name: 'Ina', active: true, provider_access: [provider], super: false },
    ],
    meta: { total: 1 },
  });
});

test('whose account a link opens is told to whoever has it, while it works', async () => {
  const email = 'looked-at@example.com';
  const token = tokenIn((await invite({ email })).body.data.link);
  const look = (kind: string, given: string) =>
    call(world, ['POST', '/api/sign-in-links/look'], { body: { kind, token: given } });
  expect(await look('accept', token)).toMatchObject({ status: 200, body: { data: { email } } });
  // Neither a token of another kind nor a used one says anything.
  expect((await look('reset', token)).body.error).toBe('link_invalid');
  await accept(token, 'Lo', '10.78.0.9');
  expect((await look('accept', token)).body.error).toBe('invitation_invalid');
  const reset = await world.db.write({ kind: 'all' }, { kind: 'system', id: 'x', name: 'x' }, (tx) =>
    createResetToken(tx, email, new Date()),
  );
  expect(await look('reset', reset)).toMatchObject({ status: 200, body: { data: { email } } });
  await asOwner(world.ownerUrl, "UPDATE identity.verification SET expires_at = now() - interval '1 second'");
  expect((await look('reset', reset)).body.error).toBe('link_invalid');
});

test('a password that is guessed first, or is the own address or name, is refused and the link stays', async () => {
  const { token } = await invitePerson(world, superAdmin, { email: 'gesine@example.com' });
  for (const chosen of ['password1234', 'P@ssw0rd1234', 'gesine@example.com', 'GesineWinter24'])
    expect((await acceptWith(token, chosen)).body.error).toBe('weak_password');
  expect((await acceptWith(token, 'four words of her')).status).toBe(200);
});

test('an invitation expires after 48 hours, and can be made again', async () => {
  const first = await invite({ email: 'late@example.com' });
  world.clock.offsetMs = 48 * 3600_000 + 1_000;
  expect((await accept(tokenIn(first.body.data.link))).body.error).toBe('invitation_invalid');
  world.clock.offsetMs = 0;
  const again = await invite({ email: 'late@example.com', admin: false });
  expect(again.body.data.id).toBe(first.body.data.id);
  expect((await accept(tokenIn(first.body.data.link))).body.error).toBe('invitation_invalid');
  expect((await accept(tokenIn(again.body.data.link))).status).toBe(200);
  expect((await invite({ email: 'late@example.com' })).body.error).toBe('email_taken');
});

test('one person is invited five times in a quarter of an hour at most, by whomever', async () => {
  const email = 'flooded@example.com';
  const other = (await signInAs(world, 'super-2')).authorization;
  for (let n = 0; n < 5; n += 1) expect((await invite({ email })).status).toBe(201);
  const refused = await call(world, ['POST', '/api/users/invitations'], {
    authorization: other,
    body: { email },
  });
  expect(refused.body.error).toBe('too_many_invitations');
  expect((await invite({ email: 'another@example.com' })).status).toBe(201);
});

test('an invitation of a person disabled since is refused', async () => {
  const { body } = await invite({ email: 'gone@example.com' });
  await call(world, ['PATCH', `/api/users/${body.data.id}`], {
    authorization: superAdmin,
    body: { disabled: true },
  });
  expect((await accept(tokenIn(body.data.link))).body.error).toBe('invitation_invalid');
  // The invitation stays revoked when the user is enabled again.
  await giveAccess(world, superAdmin, body.data.id, { disabled: false });
  expect((await accept(tokenIn(body.data.link))).body.error).toBe('invitation_invalid');
});

test('an invitation needs existing providers and a super admin', async () => {
  const missing = '99999999-9999-4999-8999-999999999999';
  expect((await invite({ email: 'x@example.com', provider_access: [missing] })).status).toBe(404);
  const { authorization } = await signInAs(world, 'staff');
  const refused = await call(world, ['POST', '/api/users/invitations'], {
    authorization,
    body: { email: 'x@example.com' },
  });
  expect(refused.body.error).toBe('super_admin_required');
});

test('the audit trail names every step and holds no secret', async () => {
  const { body } = await invite({ email: 'traced@example.com' });
  await accept(tokenIn(body.data.link));
  await giveAccess(world, superAdmin, body.data.id, { super: true });
  const service = await call(world, ['POST', '/api/service-tokens'], {
    authorization: superAdmin,
    body: { name: 'Traced', scopes: ['traders:read'], provider_ids: [PROVIDERS[0]?.id] },
  });
  const entries = await world.db.read({ kind: 'all' }, (tx) =>
    tx.sql.selectFrom('audit_entry').selectAll().orderBy('seq').execute(),
  );
  expect(
    entries
      .filter((entry) => entry.target_id === body.data.id)
      .map((entry) => [entry.action, entry.actor_name]),
  ).toEqual([
    ['user.invited', 'super@demo.example'],
    ['user.invitation_shown', 'super@demo.example'],
    ['user.invitation_accepted', 'Invited person'],
    ['user.changed', 'super@demo.example'],
  ]);
  const { rows } = await world.pool.query('SELECT password FROM identity.account');
  const secrets = [
    password,
    tokenIn(body.data.link),
    service.body.data.token.slice(4),
    ...rows.map((row) => row.password),
    superAdmin.slice('Bearer '.length),
  ];
  const everything = JSON.stringify(entries) + world.logged.join();
  expect(everything).toContain('traced@example.com');
  for (const secret of secrets) expect(everything).not.toContain(secret);
});

test('an invitation ends with its inviter, who acts on no confirmed super admin before a confirmation', async () => {
  const root = await signInAs(world, 'super');
  const patch = (id: string, body: object, authorization: string) =>
    call(world, ['PATCH', `/api/users/${id}`], { authorization, body });
  const asOther = (await signInAs(world, 'super-2')).authorization;
  const cora = await acceptPerson(world, {
    ...(await invitePerson(world, root.authorization, { email: 'cora@example.com', super: true })),
    email: 'cora@example.com',
  });
  for (const body of [{ disabled: true }, { super: false }, { admin: false, super: false }])
    expect((await patch(root.userId, body, cora.authorization)).body.error).toBe('actor_not_confirmed');
  for (const path of ['sessions', 'second-factor']) {
    const refused = await call(world, ['DELETE', `/api/users/${root.userId}/${path}`], cora);
    expect(refused.body.error).toBe('actor_not_confirmed');
  }

  for (const [email, loss] of [
    ['puppet-1@example.com', { super: false }],
    ['puppet-2@example.com', { disabled: true }],
  ] as const) {
    await giveAccess(world, asOther, cora.id, { super: true, disabled: false });
    const { token } = await invitePerson(world, cora.authorization, { email, super: true });
    expect((await patch(cora.id, loss, asOther)).status).toBe(200);
    expect((await accept(token, 'Ina', '10.78.0.1')).body.error).toBe('invitation_invalid');
    // Given back, the rights do not bring the invitation back.
    await giveAccess(world, asOther, cora.id, { super: true, disabled: false });
    expect((await accept(token, 'Ina', '10.78.0.1')).body.error).toBe('invitation_invalid');
  }
});
