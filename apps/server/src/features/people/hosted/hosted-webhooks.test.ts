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

const EVENTS = isLong ? 1_000 : 150;

test(`${EVENTS} events, doubled, late and in any order, handled by two workers, end as the service has it`, async () => {
  const storm = await playWebhookStorm(world, { count: EVENTS, seed: printedSeed('HOSTED_SEED') });
  expect(new Set(storm.statuses)).toEqual(new Set([200]));
  expect(storm.differences).toEqual([]);
  expect(storm.ended).toBeGreaterThan(EVENTS / 100);
  expect(await events("state IN ('waiting', 'failed')")).toEqual([]);
});
