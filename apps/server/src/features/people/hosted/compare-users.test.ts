import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createHostedWorld,
  type HostedWorld,
} from '../../../../../../tests/support/identity/hosted-world.ts';
import { type ComparisonDeps, compareHostedUsers } from './compare-users.job.ts';

const HOURS_MS = 3_600_000;

let world: HostedWorld;
let providers: string[];
beforeAll(async () => {
  world = await createHostedWorld();
  providers = (await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY id')).map(({ id }) => id);
});
afterAll(() => world?.close());

/** The next comparison, seven hours later. */
const compare = async (given: Partial<ComparisonDeps> = {}) => {
  await world.advance(7 * HOURS_MS);
  return run(given);
};
const run = (given: Partial<ComparisonDeps> = {}) => compareHostedUsers({ ...world.deps, ...given });
/** Something happens at the service, and no webhook tells. */
async function unheard(happen: () => void): Promise<void> {
  await world.work();
  world.clerk.webhooks.hold();
  happen();
  expect(world.clerk.webhooks.lose()).toBeGreaterThan(0);
}
const accessOf = async (hostedId: string) => {
  const [row] = await world.owner(
    `SELECT admin, super, provider_ids, disabled_at IS NOT NULL AS disabled
     FROM identity.hosted_user JOIN identity.user_access USING (user_id) WHERE hosted_id = $1`,
    [hostedId],
  );
  return row;
};
const progress = async () => (await world.owner('SELECT * FROM identity.hosted_comparison'))[0];

test('what lost webhooks left is taken away, and what they would have granted is not given', async () => {
  const metadata = { admin: true, providerAccess: [providers[0], providers[1]] };
  const organization = world.instance.addOrganization('Third', { provider_id: providers[2] });
  const people = [];
  for (let count = 0; count < 7; count += 1) people.push((await world.person(metadata)).user.id);
  const [deleted, banned, reduced, promoted, same] = people as [string, string, string, string, string];
  const member = world.instance.addUser({ email: 'leaver@people.example', metadata: { admin: true } });
  const stayer = world.instance.addUser({ email: 'stayer@people.example', metadata: { admin: true } });
  const membership = world.instance.join(organization, member.id);
  world.instance.join(organization, stayer.id);
  await world.work();
  expect(await accessOf(member.id)).toMatchObject({ provider_ids: [providers[2]] });

  await unheard(() => {
    world.instance.deleteUser(deleted);
    world.instance.ban(banned);
    world.instance.changeUser(reduced, { metadata: { admin: true, providerAccess: [providers[1]] } });
    world.instance.changeUser(promoted, { metadata: { super: true, providerAccess: providers } });
    world.instance.leave(membership.id);
    world.instance.joinWaitlist('unheard@people.example');
  });
  expect(await compare()).toBe(4);
  const whole = { admin: true, super: false, disabled: false, provider_ids: [providers[0], providers[1]] };
  expect(await accessOf(deleted)).toEqual({ ...whole, disabled: true });
  expect(await accessOf(banned)).toEqual({ ...whole, disabled: true });
  expect(await accessOf(reduced)).toEqual({ ...whole, provider_ids: [providers[1]] });
  expect(await accessOf(promoted)).toEqual(whole);
  expect(await accessOf(same)).toEqual(whole);
  expect(await accessOf(member.id)).toMatchObject({ admin: true, provider_ids: [] });
  expect(await accessOf(stayer.id)).toMatchObject({ admin: true, provider_ids: [providers[2]] });
  expect(
    await world.owner("SELECT state FROM identity.waitlist WHERE email = 'unheard@people.example'"),
  ).toEqual([{ state: 'waiting' }]);
  expect(await compare()).toBe(0);
});

test('it begins every six hours, in pages, and goes on where it was broken off', async () => {
  const people: string[] = [];
  for (let count = 0; count < 4; count += 1) people.push((await world.person({ admin: true })).user.id);
  await unheard(() => {
    for (const id of people) world.instance.changeUser(id, { metadata: {} });
  });
  const [linked] = await world.owner<{ count: number }>(
    'SELECT count(*)::int AS count FROM identity.hosted_user',
  );
  let lost = await compare({ page: 3, mostPages: 1 });
  let runs = 1;
  expect(await progress()).toMatchObject({
    after_hosted_id: expect.stringMatching(/^user_/),
    ended_at: null,
  });
  // The service has had enough: nothing is skipped.
  const before = await progress();
  world.clerk.fail(429, 2);
  expect(await run({ page: 3, mostPages: 1 })).toBe(0);
  expect(await progress()).toEqual(before);
  world.clerk.fail(500, 0);
  while ((await progress())?.ended_at === null) {
    lost += await run({ page: 3, mostPages: 1 });
    runs += 1;
  }
  expect(lost).toBe(4);
  expect(runs).toBe(Math.ceil((linked?.count ?? 0) / 3) + 1);
  const calls = world.clerk.calls();
  await world.advance(5 * HOURS_MS);
  expect(await run()).toBe(0);
  expect(world.clerk.calls()).toBe(calls);
});

test('the keys of another instance disable no one', async () => {
  const { user } = await world.person({ admin: true });
  const listUsers = async () => [];
  expect(await compare({ directory: { ...world.deps.directory, listUsers } })).toBe(0);
  expect(await accessOf(user.id)).toMatchObject({ disabled: false });
  expect(await progress()).toMatchObject({ ended_at: null });
  expect(await run()).toBe(0);
  expect(await progress()).not.toMatchObject({ ended_at: null });
});
