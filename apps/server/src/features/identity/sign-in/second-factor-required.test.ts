import { contract, type Entry } from '@copydesk/contract';
import { needsSecondFactor } from '@copydesk/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { accept, enrol, invite } from '../../../../../../tests/support/identity/people.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { createVerification } from '../set-up/demo-personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const createToken = (authorization: string) =>
  call(world, ['POST', '/api/service-tokens'], {
    authorization,
    body: { name: 'Reader', scopes: ['traders:read'], provider_ids: [PROVIDERS[0]?.id] },
  });

test('a super admin acts on money and secrets only with a second factor, and on accounts without', async () => {
  const persona = await signInAs(world, 'super');
  const email = 'new-super@example.com';
  const invited = await invite(world, persona.authorization, { email, super: true });
  const person = await accept(world, { ...invited, email });
  expect((await createToken(person.authorization)).body.error).toBe('second_factor_required');
  const colleague = await call(world, ['POST', '/api/users/invitations'], {
    authorization: person.authorization,
    body: { email: 'colleague@example.com' },
  });
  expect(colleague.status).toBe(201);
  const enrolled = await enrol(world, person);
  expect((await createToken(enrolled.authorization)).status).toBe(201);
  // Removing it again takes the right away with the next request.
  await call(world, ['DELETE', `/api/users/${person.id}/second-factor`], persona);
  expect((await createToken(enrolled.authorization)).status).toBe(401);
});

test('personas count as verified in a database with the mark of the demo world only', async () => {
  const { authorization } = await signInAs(world, 'super');
  expect((await createToken(authorization)).status).toBe(201);
  const found = await world.identity.authenticate(authorization);
  if (!found.ok || found.principal.kind !== 'user') throw new Error('a person is expected');
  const { principal } = found;
  expect(createVerification({ isDemo: true })(principal)).toBe(true);
  expect(createVerification({ isDemo: false })(principal)).toBe(false);
  expect(createVerification({ isDemo: true })({ ...principal, email: 'super@example.com' })).toBe(false);
});

test('every call of super admins that needs recent authentication needs it, but for those about accounts', () => {
  const without = Object.entries<Entry>(contract)
    .filter(([, entry]) => entry.permission === 'super' && entry.recentAuth !== false)
    .filter(([, entry]) => !needsSecondFactor(entry))
    .map(([key]) => key);
  expect(without.length).toBeGreaterThan(0);
  for (const key of without) expect(key).toMatch(/ \/api\/(users|waitlist)\b/);
});
