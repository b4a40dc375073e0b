import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { register } from '../../../../../../tests/support/identity/passkeys.ts';
import { accept, PASSWORD } from '../../../../../../tests/support/identity/people.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ hasMail: true });
});
afterAll(() => world.close());

test('people learn by mail what another super admin took from their account', async () => {
  const { authorization, userId: ownId } = await signInAs(world, 'super');
  const second = await signInAs(world, 'super-2');
  const path = `/api/users/${second.userId}` as const;
  const send = (method: 'PATCH' | 'DELETE', url: string, body?: object) =>
    call(world, [method, url], { authorization, ...(body && { body }) });

  await send('DELETE', `${path}/second-factor`);
  await send('PATCH', path, { disabled: true });
  // No loss: the account was disabled already, and is enabled.
  await send('PATCH', path, { disabled: true, provider_access: { removed: [] } });
  await giveAccess(world, authorization, second.userId, { disabled: false });
  await send('PATCH', path, { super: false });
  // Own acts need no mail.
  await giveAccess(world, authorization, ownId, { provider_access: [] });
  // The acts do not wait for their mails, which may overtake each other.
  await expect.poll(() => world.mails.map(({ to }) => to)).toEqual(Array(3).fill('super-2@demo.example'));
  const [disabled, demoted, removed] = world.mails.map(({ text }) => text).sort();
  expect(removed).toContain('super@demo.example has removed the second factor of your account');
  expect(disabled).toContain('super@demo.example has disabled your account');
  expect(demoted).toContain('super@demo.example has ended your rights as a super admin');
});

test('people learn by mail what was changed about their sign-in with a session of theirs', async () => {
  const { authorization } = await signInAs(world, 'super');
  const email = 'mailed@example.com';
  await call(world, ['POST', '/api/users/invitations'], { authorization, body: { email } });
  const token = /token=(\S+)/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';
  const person = await accept(world, { id: '', email, token });
  world.mails.length = 0;
  /** One mail a change, which the change does not wait for. */
  const said = async () => {
    await expect.poll(() => world.mails.length).toBe(1);
    return world.mails.splice(0).map(({ to, text }) => [to, text.split('\n')[0]]);
  };

  expect((await register(world, person)).status).toBe(200);
  expect(await said()).toEqual([[email, 'A passkey was added to your account.']]);
  const own = { authorization: `Bearer ${await tokenOf(world, person.cookie)}` };
  const { data } = (await call(world, ['GET', '/api/me/second-factor'], own)).body;
  await call(world, ['DELETE', `/api/me/passkeys/${data.passkeys[0].id}`], own);
  expect(await said()).toEqual([[email, 'A passkey was removed from your account.']]);

  const auth = (path: string, body: object, cookie: string) => authCall(world, path, { body, cookie });
  const enabled = await auth('/two-factor/enable', { password: PASSWORD }, person.cookie);
  const { totpURI } = enabled.body;
  const { cookies } = await auth('/two-factor/verify-totp', { code: await totpCode(totpURI) }, person.cookie);
  expect(await said()).toEqual([[email, 'An authenticator app was added to your account.']]);
  await auth('/two-factor/disable', { password: PASSWORD, code: await totpCode(totpURI) }, cookies);
  expect(await said()).toEqual([[email, 'The authenticator app was removed from your account.']]);
});
