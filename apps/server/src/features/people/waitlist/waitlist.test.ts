import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { accept, invite } from '../../../../../../tests/support/identity/people.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
let superAdmin: string;
let addresses = 0;
beforeAll(async () => {
  world = await createWorld();
  superAdmin = (await signInAs(world, 'super')).authorization;
});
afterAll(() => world.close());

const join = (body: object, address = `10.9.0.${++addresses}`) =>
  call(world, ['POST', '/api/waitlist'], { body: { name: 'Wanda', ...body }, address });
const waiting = async () => (await call(world, ['GET', '/api/waitlist'], { authorization: superAdmin })).body;
const decide = (id: string, what: 'approve' | 'decline', body?: object) =>
  call(world, ['POST', `/api/waitlist/${id}/${what}`], {
    authorization: superAdmin,
    ...(body && { body }),
  });
const find = async (email: string) =>
  (await waiting()).data.find((entry: { email: string }) => entry.email === email);

test('who asks once waits once, and no answer tells known addresses from others', async () => {
  const answers = [
    await join({ email: 'Wanda@Example.com', note: 'I run a desk' }),
    await join({ email: 'wanda@example.com', name: 'Somebody else' }),
    await join({ email: 'staff@demo.example' }),
  ];
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    answers.map(() => [201, '{"success":true,"data":null}']),
  );
  const { data } = await waiting();
  expect(data).toMatchObject([
    { email: 'wanda@example.com', name: 'Wanda', note: 'I run a desk', has_account: false },
    { email: 'staff@demo.example', has_account: true },
  ]);
});

test('approval is an invitation as staff, once, and asking makes no one more', async () => {
  await join({ email: 'ask@example.com' });
  expect((await join({ email: 'more@example.com', super: true })).status).toBe(400);
  const { id } = await find('ask@example.com');
  const answer = await decide(id, 'approve', { provider_access: [PROVIDERS[0]?.id] });
  expect(answer.status).toBe(201);
  const token = /token=(.+)$/.exec(answer.body.data.link)?.[1] ?? '';
  const person = await accept(world, { id: answer.body.data.id, email: 'ask@example.com', token });
  const me = await call(world, ['GET', '/api/me'], person);
  expect(me.body.data).toMatchObject({ super: false, providers: [{ id: PROVIDERS[0]?.id }] });
  expect((await decide(id, 'approve', {})).body.error).toBe('waitlist_decided');
  expect(await find('ask@example.com')).toBeUndefined();
  // A person who was declined or approved does not come back by asking again.
  await join({ email: 'ask@example.com' });
  expect(await find('ask@example.com')).toBeUndefined();
});

test('an invitation as a super admin is not replaced by one as staff', async () => {
  const email = 'stronger@example.com';
  await invite(world, superAdmin, { email, super: true });
  await join({ email });
  const { id } = await find(email);
  expect((await decide(id, 'approve', {})).body.error).toBe('invited_as_super');
  const { body } = await call(world, ['GET', `/api/users?search=${email}`], { authorization: superAdmin });
  expect(body.data).toMatchObject([{ super: true, active: false }]);
});

test('an address with an account is not approved, and can be declined', async () => {
  await join({ email: 'staff@demo.example' });
  const { id } = await find('staff@demo.example');
  expect((await decide(id, 'approve', {})).body.error).toBe('email_taken');
  expect((await decide(id, 'decline')).status).toBe(200);
  expect(await find('staff@demo.example')).toBeUndefined();
});

test('a flood is slowed for its address, and ends at a full list', async () => {
  const from = '10.99.0.1';
  const statuses = [];
  for (let nth = 0; nth < 8; nth += 1)
    statuses.push((await join({ email: `flood-${nth}@example.com` }, from)).status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  expect(statuses.at(-1)).toBe(429);
  await world.pool.query(
    `INSERT INTO identity.waitlist (email, name, joined_at)
     SELECT 'many-' || n || '@example.com', 'Many', now() FROM generate_series(1, 5000) n`,
  );
  const full = (await waiting()).meta.total;
  for (const email of ['late@example.com', 'flood-1@example.com'])
    expect((await join({ email })).body.error).toBe('waitlist_full');
  expect((await waiting()).meta.total).toBe(full);
});

test('the list is closed to everybody but super admins', async () => {
  const { authorization } = await signInAs(world, 'staff');
  expect((await call(world, ['GET', '/api/waitlist'], { authorization })).status).toBe(403);
});
