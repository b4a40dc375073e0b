import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
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
  expect(world.mails.map(({ to }) => to)).toEqual(Array(3).fill('super-2@demo.example'));
  const [removed, disabled, demoted] = world.mails.map(({ text }) => text);
  expect(removed).toContain('super@demo.example has removed the second factor of your account');
  expect(disabled).toContain('super@demo.example has disabled your account');
  expect(demoted).toContain('super@demo.example has ended your rights as a super admin');
});
