import { flagsAfterWithdrawal, flagsAtFirstSight, readHostedGrants } from '@copydesk/domain';
import { signAsClerk } from '@copydesk/simulators/clerk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WEBHOOK_SECRET } from '../../../../../../tests/support/identity/hosted-variables.ts';
import {
  createHostedWorld,
  type HostedWorld,
} from '../../../../../../tests/support/identity/hosted-world.ts';
import { printedSeed } from '../../../../../../tests/support/printed-seed.ts';
import { takeHostedEventTurn } from './event-turn.ts';
import { syncHostedUser } from './sync-user.ts';

let world: HostedWorld;
let providers: string[];
beforeAll(async () => {
  world = await createHostedWorld();
  providers = (await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY id')).map(({ id }) => id);
});
afterAll(() => world?.close());
beforeEach(() => world.clerk.fail(500, 0));

const events = (where: string, values: unknown[] = []) =>
  world.owner<{ id: string; type: string; state: string; problem: string | null; attempts: number }>(
    `SELECT id, type, state, problem, attempts FROM identity.hosted_event WHERE ${where} ORDER BY id`,
    values,
  );
const bodyOf = (given: object = {}) =>
  JSON.stringify({
    object: 'event',
    type: 'user.updated',
    timestamp: 1,
    data: { id: 'user_none' },
    ...given,
  });
const send = (id: string, body: string, signed: { secret?: string; at?: number } = {}) =>
  world.clerk.webhooks.send({ id, body }, signed);

test('forged and stale messages are refused, and nothing of them is stored', async () => {
  const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  expect(await send('msg_forged', bodyOf(), { secret: other })).toBe(401);
  expect(await send('msg_late', bodyOf(), { at: Date.now() - 301_000 })).toBe(401);
  expect(await send('msg_early', bodyOf(), { at: Date.now() + 302_000 })).toBe(401);
  const headers = { 'content-type': 'application/json', 'svix-id': 'msg_bare', 'svix-timestamp': '1' };
  const bare = await world.product.app.inject({
    method: 'POST',
    url: '/api/webhooks/clerk',
    payload: bodyOf(),
    headers,
  });
  expect(bare.statusCode).toBe(401);
  // The id is part of what is signed.
  const seconds = Math.floor(Date.now() / 1_000);
  const signed = signAsClerk({ id: 'msg_own', body: bodyOf() }, { secret: WEBHOOK_SECRET, seconds });
  const renamed = await world.product.app.inject({
    method: 'POST',
    url: '/api/webhooks/clerk',
    payload: bodyOf(),
    headers: { 'content-type': 'application/json', ...signed, 'svix-id': 'msg_other' },
  });
  expect(renamed.statusCode).toBe(401);
  expect(await events("id LIKE 'msg_%' AND id !~ '^msg_[0-9a-f]{26}$'")).toEqual([]);
});

test('a message is stored once, and others that change nothing are ignored', async () => {
  expect(await send('msg_once', bodyOf())).toBe(200);
  expect(await send('msg_once', bodyOf())).toBe(200);
  expect(await send('msg_unknown', bodyOf({ type: 'sms.created' }))).toBe(200);
  expect(await send('msg_prototype', bodyOf({ type: 'constructor' }))).toBe(200);
  expect(await send('msg_strange', bodyOf({ data: { id: 7 } }))).toBe(400);
  const rows = await events("id IN ('msg_once', 'msg_unknown', 'msg_prototype', 'msg_strange')");
  expect(rows.map(({ id, state }) => [id, state])).toEqual([
    ['msg_once', 'waiting'],
    ['msg_prototype', 'ignored'],
    ['msg_unknown', 'ignored'],
  ]);
  await world.work();
  expect(await events("id = 'msg_once'")).toMatchObject([{ state: 'handled' }]);
});

test('while the service fails, an event waits longer each time, and then succeeds', async () => {
  const { user, me } = await world.person({ admin: true });
  await world.work();
  world.clerk.webhooks.hold();
  world.instance.changeUser(user.id, { metadata: {} });
  const [sent] = world.clerk.webhooks.waiting();
  await world.clerk.webhooks.release();
  for (const expected of [1, 2, 3]) {
    world.clerk.fail(503, 2);
    await world.work();
    world.clerk.fail(500, 0);
    expect(await events('id = $1', [sent?.id])).toMatchObject([
      { state: 'waiting', problem: 'unreachable', attempts: expected },
    ]);
    await world.work();
    expect(await events('id = $1', [sent?.id])).toMatchObject([{ attempts: expected }]);
    world.advance(10_000);
  }
  await world.work();
  expect(await events('id = $1', [sent?.id])).toMatchObject([{ state: 'handled' }]);
  const [row] = await world.owner('SELECT admin FROM identity.user_access WHERE user_id = $1', [
    me.body.data.id,
  ]);
  expect(row).toEqual({ admin: false });
});

test('a slow read does not overwrite a later one', async () => {
  const { user } = await world.person({ admin: true, providerAccess: [providers[0]] });
  const earlier = await world.deps.directory.readUser(user.id);
  const started = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<typeof earlier>();
  const readUser = () => {
    started.resolve();
    return answered.promise;
  };
  const slow = syncHostedUser({ ...world.deps, directory: { readUser } }, user.id);
  await started.promise;
  world.instance.changeUser(user.id, { metadata: {} });
  await world.work();
  answered.resolve(earlier);
  expect(await slow).toBe('outdated');
  const [row] = await world.owner(
    `SELECT granted_admin, admin FROM identity.hosted_user JOIN identity.user_access USING (user_id)
     WHERE hosted_id = $1`,
    [user.id],
  );
  expect(row).toEqual({ granted_admin: false, admin: false });
});

/** Numbers between 0 and 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

test('a thousand events, doubled and in any order, handled by two workers, end as the service has it', async () => {
  const random = createRandom(printedSeed('HOSTED_SEED'));
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const metadata = () => ({
    admin: random() < 0.8,
    super: random() < 0.1,
    providerAccess: providers.filter(() => random() < 0.5),
  });
  // Some are known before, with what they had then.
  const known = await Promise.all(Array.from({ length: 20 }, () => world.person(metadata())));
  await world.work();
  const before = new Map(known.map(({ user }) => [user.id, user.metadata]));
  world.clerk.webhooks.hold();
  const { instance } = world;
  const unseen = Array.from({ length: 20 }, (_, index) =>
    instance.addUser({ email: `unseen-${index}@people.example`, metadata: metadata() }),
  );
  const everyone = [...known.map(({ user }) => user), ...unseen].map(({ id }) => id);
  const sessions = known.map(({ session }) => session.id);
  while (world.clerk.webhooks.waiting().length < 1_000) {
    const id = pick(everyone);
    if (!instance.state.users.has(id)) continue;
    const roll = random();
    if (roll < 0.75) instance.changeUser(id, { metadata: metadata(), lastName: `No ${roll}` });
    else if (roll < 0.9) sessions.push(instance.openSession(id).id);
    else if (roll < 0.97) instance.endSession(pick(sessions), pick(['ended', 'removed', 'revoked']));
    else if (roll < 0.985) instance.ban(id);
    else if (instance.state.users.size > 25) instance.deleteUser(id);
  }
  const statuses = await world.clerk.webhooks.release((waiting) =>
    shuffled([...waiting, ...waiting.filter(() => random() < 0.5)], random),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const worker = async () => {
    while (await takeHostedEventTurn(world.deps));
  };
  await Promise.all([worker(), worker()]);

  const rows = await world.owner<{
    hosted_id: string;
    admin: boolean;
    super: boolean;
    provider_ids: string[];
    disabled: boolean;
  }>(`SELECT h.hosted_id, a.admin, a.super, a.provider_ids, a.disabled_at IS NOT NULL AS disabled
      FROM identity.hosted_user h JOIN identity.user_access a USING (user_id)`);
  const stored = new Map(rows.map((row) => [row.hosted_id, row]));
  const everSeen = everyone.filter((id) => instance.state.users.has(id) || before.has(id));
  expect(everSeen.filter((id) => !stored.has(id))).toEqual([]);
  for (const id of everSeen) {
    const now = instance.state.users.get(id);
    const first = readHostedGrants(before.get(id) ?? now?.metadata ?? {}, []);
    const last = now ? readHostedGrants(now.metadata, []) : first;
    const flags = flagsAfterWithdrawal(flagsAtFirstSight(first), first, last);
    expect({ ...stored.get(id), provider_ids: stored.get(id)?.provider_ids.toSorted() }).toEqual({
      hosted_id: id,
      admin: flags.admin,
      super: flags.super,
      provider_ids: [...flags.providerAccess].sort(),
      disabled: !now || now.isBanned,
    });
  }
  const over = [...instance.state.sessions.values()].filter(({ status }) => status !== 'active');
  const ended = await world.owner<{ id: string }>(
    'SELECT id FROM identity.hosted_session WHERE ended_at IS NOT NULL AND id = ANY ($1)',
    [over.map(({ id }) => id)],
  );
  expect(ended).toHaveLength(over.length);
  expect(over.length).toBeGreaterThan(10);
  expect(await events("state IN ('waiting', 'failed')")).toEqual([]);
});
