import { signAsClerk } from '@copydesk/simulators/clerk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WEBHOOK_SECRET } from '../../../../../../tests/support/identity/hosted-variables.ts';
import {
  createHostedWorld,
  type HostedWorld,
} from '../../../../../../tests/support/identity/hosted-world.ts';
import { playWebhookStorm } from '../../../../../../tests/support/identity/webhook-storm.ts';
import { isLong } from '../../../../../../tests/support/long-test.ts';
import { printedSeed } from '../../../../../../tests/support/printed-seed.ts';
import { until } from '../../../../../../tests/support/until.ts';
import { syncHostedUser } from './sync-user.ts';

let world: HostedWorld;
let providers: string[];
beforeAll(async () => {
  world = await createHostedWorld();
  providers = (await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY id')).map(({ id }) => id);
});
afterAll(() => world?.close());
beforeEach(() => world.clerk.fail(500, 0));

const jobsOf = (subject: string) =>
  world.owner<{ state: string; problem: string | null; retry_count: number }>(
    `SELECT state::text, output ->> 'message' AS problem, retry_count FROM pgboss.job
     WHERE name = 'clerk-sync' AND singleton_key = $1 ORDER BY created_on`,
    [subject],
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

test('forged and stale messages are refused, and order nothing', async () => {
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
  expect(await jobsOf('user:user_none')).toEqual([]);
});

test('messages of a user are one job, and others that change nothing order none', async () => {
  const count = async () => (await world.owner("SELECT FROM pgboss.job WHERE name = 'clerk-sync'")).length;
  const before = await count();
  expect(await send('msg_once', bodyOf())).toBe(200);
  expect(await send('msg_once', bodyOf())).toBe(200);
  expect(await send('msg_unknown', bodyOf({ type: 'sms.created' }))).toBe(200);
  expect(await send('msg_prototype', bodyOf({ type: 'constructor' }))).toBe(200);
  expect(await send('msg_strange', bodyOf({ data: { id: 7 } }))).toBe(400);
  expect(await count()).toBe(before + 1);
  expect(await jobsOf('user:user_none')).toMatchObject([{ state: 'created' }]);
  await world.work();
  expect(await jobsOf('user:user_none')).toMatchObject([{ state: 'completed' }]);
});

test('an ended session holds in every process, while the service cannot be reached and no worker runs', async () => {
  const { session, authorization } = await world.person({ admin: true });
  await world.work();
  expect((await world.as(authorization, ['GET', '/api/me'])).status).toBe(200);
  world.clerk.webhooks.hold();
  world.instance.endSession(session.id, 'revoked');
  world.clerk.fail(503, 1_000);
  expect(await world.clerk.webhooks.release()).toEqual([200]);
  // Each process forgets the session with the news of its end: access-ends.test.ts says how soon.
  await until(async () => (await world.as(authorization, ['GET', '/api/me'])).status === 401);
});

test('while the service fails, an event waits longer each time, and then succeeds', async () => {
  const { user, me } = await world.person({ admin: true });
  await world.work();
  world.clerk.webhooks.hold();
  world.instance.changeUser(user.id, { metadata: {} });
  await world.clerk.webhooks.release();
  for (const expected of [0, 1, 2]) {
    world.clerk.fail(503, 2);
    await world.work();
    world.clerk.fail(500, 0);
    const failed = [{ state: 'retry', problem: 'unreachable', retry_count: expected }];
    expect(await jobsOf(`user:${user.id}`)).toMatchObject([{ state: 'completed' }, ...failed]);
    await world.work();
    expect((await jobsOf(`user:${user.id}`)).slice(1)).toMatchObject(failed);
    await world.advance(10_000);
  }
  await world.work();
  expect((await jobsOf(`user:${user.id}`)).at(-1)).toMatchObject({ state: 'completed' });
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

const EVENTS = isLong ? 1_000 : 150;

test(`${EVENTS} events, doubled, late and in any order, handled by two workers, end as the service has it`, async () => {
  const storm = await playWebhookStorm(world, { count: EVENTS, seed: printedSeed('HOSTED_SEED') });
  expect(new Set(storm.statuses)).toEqual(new Set([200]));
  expect(storm.differences).toEqual([]);
  expect(storm.ended).toBeGreaterThan(EVENTS / 100);
  expect(
    await world.owner("SELECT FROM pgboss.job WHERE name = 'clerk-sync' AND state <> 'completed'"),
  ).toEqual([]);
});
