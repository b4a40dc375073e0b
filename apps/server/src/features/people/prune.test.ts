import { expect, test } from 'vitest';
import { authCall, signInAs } from '../../../../../tests/support/identity/callers.ts';
import { createWorld } from '../../../../../tests/support/identity/world.ts';
import { pruneIdentity } from './prune.ts';

test('pruning deletes expired rows and keeps valid ones', async () => {
  const world = await createWorld();
  const { authorization } = await signInAs(world, 'staff');
  await authCall(world, '/sign-in/email', { body: { email: 'staff@demo.example', password: 'wrong' } });
  expect(await pruneIdentity(world)).toBe(0);
  expect(await world.identity.authenticate(authorization, { fresh: true })).toMatchObject({ ok: true });
  world.clock.offsetMs = 13 * 3600_000;
  // The session, and the failures counted for the account and for its network.
  expect(await pruneIdentity(world)).toBe(3);
  await world.close();
});
