import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCall, call } from '../../../../../../tests/support/identity/callers.ts';
import {
  accept,
  addSuperAdmin,
  invite,
  signIn as signInWith,
} from '../../../../../../tests/support/identity/people.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { askAdmin } from '../../../../../../tests/support/run-admin.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ personas: false, isDemo: false });
});
afterAll(() => world.close());

const admin = (...args: string[]) =>
  askAdmin({ DATABASE_URL: world.ownerUrl, AUDIT_KEY: 'k'.repeat(64), PORT: '3000' }, ...args);
const token = (output: string) => /#\/\w+\?token=(\S+)/.exec(output)?.[1];
const signInOf = async (email: string) => (await signInWith(world, email)).authorization;
const signIn = (password: string) =>
  authCall(world, '/sign-in/email', { body: { email: 'ops@example.com', password } });

test('an operator creates a super admin, and restores its access', { timeout: 90_000 }, async () => {
  const created = await admin('create', '--email', 'Ops@Example.com');
  expect(created).toMatchObject({ code: 0, output: expect.stringContaining('/sign-in#/accept?token=') });
  expect((await admin('list')).output).toBe('ops@example.com\tsuper, invited\tops@example.com\n');
  const accepted = await call(world, ['POST', '/api/invitations/accept'], {
    body: { token: token(created.output), name: 'Ops', password: 'the first password' },
  });
  expect(accepted.status).toBe(200);
  expect((await signIn('the first password')).status).toBe(200);
  expect((await admin('create', '--email', 'ops@example.com')).output).toBe(
    'ops@example.com is a super admin now.\n',
  );

  const reset = await admin('reset', '--email', 'ops@example.com');
  const body = { token: token(reset.output), newPassword: 'the second password' };
  expect((await authCall(world, '/reset-password', { body })).status).toBe(200);
  expect((await signIn('the first password')).status).toBe(401);
  expect((await signIn('the second password')).status).toBe(200);
  expect((await admin('remove-second-factor', '--email', 'ops@example.com')).code).toBe(0);
  expect(await admin('reset', '--email', 'nobody@example.com')).toMatchObject({
    code: 1,
    output: expect.stringContaining('No user who can sign in'),
  });
  expect((await admin('destroy')).code).toBe(2);
});

test('an operator confirms the second super admin when no other super admin can', {
  timeout: 90_000,
}, async () => {
  await admin('create', '--email', 'first@example.com').then(({ output }) =>
    accept(world, { id: '', email: 'first@example.com', token: token(output) ?? '' }),
  );
  const first = await signInOf('first@example.com');
  const second = await addSuperAdmin(world, first, 'second@example.com');
  expect((await admin('list')).output).toContain('second@example.com\tsuper, unconfirmed, second factor\t');
  const confirm = (authorization: string, id: string) =>
    call(world, ['POST', `/api/users/${id}/confirm`], { authorization });
  expect((await confirm(second.authorization, second.id)).body.error).toBe('own_confirmation');

  expect(await admin('confirm', '--email', 'second@example.com')).toEqual({
    code: 0,
    output: 'second@example.com is a confirmed super admin now.\n',
  });
  expect((await admin('list')).output).toContain('second@example.com\tsuper, second factor\t');
  // A new link to an unaccepted account needs a new confirmation.
  await admin('create', '--email', 'third@example.com');
  await invite(world, first, { email: 'third@example.com', super: true });
  expect((await admin('list')).output).toContain('third@example.com\tsuper, unconfirmed, invited\t');
  expect(await admin('confirm', '--email', 'nobody@example.com')).toMatchObject({ code: 1 });
});

test('an operator signs a user out, disables it and lets it in again', { timeout: 90_000 }, async () => {
  const email = 'gone@example.com';
  const { output } = await admin('create', '--email', email);
  const person = await accept(world, { id: '', email, token: token(output) ?? '' });
  const isSignedIn = async () => (await call(world, ['GET', '/api/me'], person)).status === 200;
  expect(await isSignedIn()).toBe(true);
  expect(await admin('end-sessions', '--email', email)).toEqual({
    code: 0,
    output: `1 session of ${email} ended.\n`,
  });
  // Another process ended it: the API hears of it.
  await expect.poll(isSignedIn, { timeout: 10_000 }).toBe(false);
  expect((await admin('disable', '--email', email)).output).toBe(`${email} is disabled.\n`);
  expect(await signInOf(email)).toBe('Bearer undefined');
  expect((await admin('enable', '--email', email)).code).toBe(0);
  expect(await signInOf(email)).toMatch(/^Bearer ey/);
  expect((await admin('disable', '--email', 'nobody@example.com')).output).toContain(
    'No user has the address',
  );
});
