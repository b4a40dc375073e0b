import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../../tests/support/until.ts';
import { startWorkerProcess } from '../../../../../tests/support/worker-process.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../tests/support/world/messaging-world.ts';

/** No server listens there. */

let world: MessagingWorld;
beforeAll(async () => {
  world = await createMessagingWorld({ hasLimits: false });
});
afterAll(() => world?.close());
beforeEach(async () => {
  await world.owner('DELETE FROM message');
  world.telegram.faults.clear();
  world.telegram.outbox.reset();
});
afterEach(() => world.stopSenders());

const traders = (count: number) => Promise.all(Array.from({ length: count }, () => world.addTrader()));
const held = async () =>
  (
    await world.owner<{ n: number }>('SELECT count(*)::int AS n FROM message WHERE leased_until IS NOT NULL')
  )[0]?.n;

const startWorker = () =>
  startWorkerProcess(world.ownerUrl, {
    TELEGRAM_API_URL: world.telegram.url,
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
  });

test("senders share due messages, and none sends another's", { timeout: 600_000 }, async () => {
  const many = await traders(60);
  for (const _ of [1, 2]) world.startSender({ perSecond: 1_000 });
  const batches = await Promise.all(Array.from({ length: 3 }, () => world.queue(many)));
  const ids = batches.flat();
  await until(async () => {
    // Not much faster than the machine: a sender that it holds up would lose its lease.
    world.advance(20);
    return (await world.statesOf(ids)).sent === ids.length;
  });
  expect(world.telegram.outbox.list()).toHaveLength(ids.length);
  const [{ doubled, most }] = (await world.owner<{ doubled: number; most: number }>(
    `SELECT count(*)::int - count(DISTINCT telegram_message_id)::int AS doubled, max(attempts)::int AS most FROM message`,
  )) as [{ doubled: number; most: number }];
  expect({ doubled, most }).toEqual({ doubled: 0, most: 1 });
});

test('messages of a worker that is killed while it sends are sent by another, once', {
  timeout: 600_000,
}, async () => {
  const many = await traders(6);
  world.telegram.faults.set({ kind: 'timeout' });
  const worker = await startWorker();
  const ids = await world.queue(many);
  await until(async () => (await held()) === ids.length, 30_000);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  world.telegram.faults.clear();

  world.startSender();
  world.advance(61_000);
  await sleep(500);
  // They are still the other one's, whatever the clock of this worker says.
  expect(await held()).toBe(ids.length);
  await world.owner('UPDATE message SET leased_until = now() WHERE leased_until IS NOT NULL');
  await until(async () => (await world.statesOf(ids)).sent === ids.length);
  expect(world.telegram.outbox.list().map(({ chat_id }) => chat_id)).toHaveLength(
    new Set(world.telegram.outbox.list().map(({ chat_id }) => chat_id)).size,
  );
  expect(await held()).toBe(0);
});

test('a worker sends queued messages, and finishes its own before it stops', {
  timeout: 600_000,
}, async () => {
  const [first, second] = await traders(2);
  const worker = await startWorker();
  const ids = await world.queue([first as string]);
  await until(async () => (await world.statesOf(ids)).sent === 1, 90_000);
  world.telegram.faults.set({ kind: 'latency', ms: 1_000 });
  const later = await world.queue([second as string]);
  await until(async () => (await held()) === 1);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  expect(await world.statesOf(later)).toEqual({ sent: 1 });
});

test('a sender that lost its lease does not overwrite the result of another', async () => {
  const [traderId] = await traders(1);
  const [id] = await world.queue([traderId as string]);
  world.telegram.faults.set({ kind: 'latency', ms: 800 });
  const slow = world.startSender();
  await until(async () => (await held()) === 1);
  await world.owner(
    `UPDATE message SET lease_number = lease_number + 1, leased_until = NULL, state = 'failed', problem = 'blocked' WHERE id = $1`,
    [id],
  );
  await sleep(1_000);
  await slow.stop();
  expect(await world.messagesOf(traderId as string)).toMatchObject([{ state: 'failed', problem: 'blocked' }]);
  expect(world.logged.join('')).toContain('another sender has taken over a message');
});
