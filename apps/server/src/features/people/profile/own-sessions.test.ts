import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Session = { id: string; is_own: boolean };
const list = async (who: { authorization: string }): Promise<Session[]> =>
  (await call(world, ['GET', '/api/me/sessions'], who)).body.data;
const end = (who: { authorization: string }, id?: string) =>
  call(world, ['DELETE', id ? `/api/me/sessions/${id}` : '/api/me/sessions'], {
    authorization: who.authorization,
  });

test('people see and end their own sessions, and no others', async () => {
  const [first, second, third] = [
    await signInAs(world, 'staff'),
    await signInAs(world, 'staff'),
    await signInAs(world, 'staff'),
  ];
  const mine = await list(first);
  expect(mine).toHaveLength(3);
  expect(mine.filter(({ is_own }) => is_own).map(({ id }) => id)).toEqual([first.sessionId]);

  const other = await signInAs(world, 'staff-multi');
  expect((await end(other, second.sessionId)).body.data.ended).toBe(0);
  expect((await list(second)).length).toBe(3);

  expect((await end(first, second.sessionId)).body.data.ended).toBe(1);
  expect((await call(world, ['GET', '/api/me'], second)).status).toBe(401);
  expect((await end(first)).body.data.ended).toBe(1);
  expect((await call(world, ['GET', '/api/me'], third)).status).toBe(401);
  expect(await list(first)).toMatchObject([{ is_own: true }]);
  expect((await end(first)).body.data.ended).toBe(0);
});

test('also without the admin flag', async () => {
  const nobody = await signInAs(world, 'not-admin');
  expect(await list(nobody)).toHaveLength(1);
});
