import { expect, onTestFinished, test } from 'vitest';
import { authCall, call } from '../../../../../../tests/support/identity/callers.ts';
import { hostedVariables } from '../../../../../../tests/support/identity/hosted-variables.ts';
import { createHostedWorld } from '../../../../../../tests/support/identity/hosted-world.ts';
import { accept, addSuperAdmin, invite, PASSWORD } from '../../../../../../tests/support/identity/people.ts';
import { runAdmin } from '../../../../../../tests/support/run-admin.ts';
import { AUDIT_KEY_TEXT, createTestApp } from '../../../../../../tests/support/test-app.ts';
import { moveToHosted } from './move-people.ts';

const STAFF = 'staff-who-moves@people.example';
const CHIEF = 'chief-who-moves@people.example';

test('people move to the hosted service and back, with their rights and without their passwords', {
  timeout: 120_000,
}, async () => {
  const world = await createHostedWorld();
  const embedded = await createTestApp({ sharing: { ownerUrl: world.product.ownerUrl } });
  onTestFinished(async () => {
    await embedded.close();
    await world.close();
  });
  const root = await embedded.signIn('super');
  const staff = await accept(embedded, { ...(await invite(embedded, root, { email: STAFF })), email: STAFF });
  const chief = await addSuperAdmin(embedded, root, CHIEF);
  const invited: string[] = [];
  for await (const email of moveToHosted(world.deps)) invited.push(email);
  expect(invited).toEqual(expect.arrayContaining([STAFF, CHIEF, 'super@demo.example']));
  expect([...world.instance.state.invitations.values()].map(({ email }) => email)).toEqual(invited);

  // Until an invitation is accepted, the password works on.
  expect((await call(embedded, ['GET', '/api/me'], { authorization: staff.authorization })).status).toBe(200);
  const moved = await world.person({ super: true }, { email: STAFF });
  expect(moved.me.body.data).toMatchObject({ id: staff.id, admin: true, super: false });
  const movedChief = await world.person({}, { email: CHIEF, code: '123456' });
  expect(movedChief.me.body.data).toMatchObject({ id: chief.id, super: true, two_factor_enabled: true });
  const [row] = await world.owner('SELECT confirmed_at, super FROM identity.user_access WHERE user_id = $1', [
    chief.id,
  ]);
  expect(row).toEqual({ confirmed_at: null, super: true });
  const signIn = (password: string) =>
    authCall(embedded, '/sign-in/email', { body: { email: STAFF, password }, address: '10.99.0.1' });
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await call(embedded, ['GET', '/api/me'], { authorization: staff.authorization })).status).toBe(401);
  // Whoever has an account there is not invited again.
  const again: string[] = [];
  for await (const email of moveToHosted(world.deps)) again.push(email);
  expect(again).not.toContain(STAFF);

  const env = { DATABASE_URL: world.product.ownerUrl, AUDIT_KEY: AUDIT_KEY_TEXT, PORT: '3000' };
  const back = await runAdmin(env, 'move', '--to', 'embedded');
  expect(back.code).toBe(0);
  const links = new Map(
    [...back.output.matchAll(/^(\S+)\t.*token=(\S+)$/gm)].map(([, email, token]) => [email, token]),
  );
  expect([...links.keys()].sort()).toEqual([CHIEF, STAFF].sort());
  const body = { token: links.get(STAFF), name: 'Staff', password: 'another password entirely' };
  expect((await call(embedded, ['POST', '/api/invitations/accept'], { body })).status).toBe(200);
  expect((await signIn('another password entirely')).status).toBe(200);
  // Not before: an API that still uses the hosted service takes an open invitation for one of its own.
  expect((await world.as(moved.authorization, ['GET', '/api/me'])).status).toBe(401);
});

test('an operator in hosted mode invites through the service, and gets a reason for each refusal', {
  timeout: 60_000,
}, async () => {
  const world = await createHostedWorld();
  onTestFinished(() => world.close());
  const base = { DATABASE_URL: world.product.ownerUrl, AUDIT_KEY: AUDIT_KEY_TEXT };
  const env = { ...base, ...hostedVariables(world.clerk) };
  const created = await runAdmin(env, 'create', '--email', 'first@people.example');
  expect(created).toMatchObject({ code: 0, output: expect.stringContaining('sent an invitation') });
  const first = await world.person({}, { email: 'first@people.example' });
  expect(first.me.body.data.super).toBe(true);
  const [row] = await world.owner(
    'SELECT confirmed_at IS NOT NULL AS confirmed FROM identity.user_access WHERE user_id = $1',
    [first.me.body.data.id],
  );
  expect(row).toEqual({ confirmed: true });
  expect((await runAdmin(env, 'reset', '--email', 'first@people.example')).output).toContain('at Clerk');
  expect((await runAdmin(env, 'move', '--to', 'embedded')).output).toContain('Unset the variables of Clerk');
  expect((await runAdmin(base, 'move', '--to', 'hosted')).output).toContain('Set the variables of Clerk');
  const half = { ...env, CLERK_ISSUER: '' };
  expect((await runAdmin(half, 'list')).output).toContain('CLERK_ISSUER: is missing');
});
