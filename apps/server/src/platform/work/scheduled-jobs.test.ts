import type { PgBoss } from 'pg-boss';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { until } from '../../../../../tests/support/until.ts';
import { createStatements } from '../db/statements.ts';
import { createJobQueue, SCHEDULED_QUEUE } from './queue.ts';
import { retireQueues, startScheduledJobs } from './scheduled-jobs.ts';

let product: TestApp;
let workers: PgBoss[];
beforeEach(async () => {
  product = await createTestApp({ scale: null });
  workers = [];
});
afterEach(async () => {
  for (const boss of workers) await boss.stop({ graceful: false });
  await product.close();
});

const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);

/** A worker whose jobs run until they are released. */
async function startWorker(names: readonly string[]) {
  const statements = createStatements(product.db.pool);
  const boss = createJobQueue(statements, product.log);
  const running: { name: string; release: () => void }[] = [];
  const jobs = names.map((name) => ({
    name,
    // Once a year: a test sends them.
    cron: '0 0 1 1 *',
    run: () => new Promise<void>((release) => void running.push({ name, release })),
  }));
  await boss.start();
  workers.push(boss);
  await startScheduledJobs(boss, { jobs, db: product.db, statements, log: product.log });
  const send = (name: string) => boss.send(SCHEDULED_QUEUE, { job: name }, { singletonKey: name });
  return { boss, running, send };
}
const wake = async () => {
  for (const boss of workers) for (const { id } of boss.getWipData()) boss.notifyWorker(id);
};
const under = async (count: number, ...sets: { running: unknown[] }[]) => {
  await until(async () => {
    await wake();
    return sets.reduce((sum, { running }) => sum + running.length, 0) === count;
  });
};
const jobsIn = (queue: string) =>
  owner<{ state: string; key: string | null }>(
    'SELECT state::text, singleton_key AS key FROM pgboss.job WHERE name = $1 ORDER BY created_on, id',
    [queue],
  );

test('two workers run one job once, and different jobs beside each other', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const one = await startWorker(names);
  const other = await startWorker(names);
  for (const name of names) await one.send(name);
  await under(6, one, other);
  expect([...one.running, ...other.running].map(({ name }) => name).sort()).toEqual(names);
  // An occurrence of a job that runs is not kept for later: the next one does its work.
  expect(await other.send('a')).toBe(null);
  for (const { release } of [...one.running, ...other.running]) release();
  await until(async () => (await jobsIn(SCHEDULED_QUEUE)).every(({ state }) => state === 'completed'));
  expect(await other.send('a')).not.toBe(null);
  await under(7, one, other);
});

test('a job of a version that is not here is left to another worker', async () => {
  const { send, running } = await startWorker(['a']);
  await send('of-tomorrow');
  await send('a');
  await under(1, { running });
  await until(async () =>
    (await jobsIn(SCHEDULED_QUEUE)).some(({ key, state }) => key === 'of-tomorrow' && state === 'retry'),
  );
});

test('a job that fails is noted until it succeeds, or is no longer scheduled', async () => {
  const statements = createStatements(product.db.pool);
  const boss = createJobQueue(statements, product.log);
  await boss.start();
  workers.push(boss);
  let isBroken = true;
  const jobs = ['mended', 'gone'].map((name) => ({
    name,
    cron: '0 0 1 1 *',
    run: async () => {
      if (isBroken) throw new Error('broken');
    },
  }));
  await startScheduledJobs(boss, { jobs, db: product.db, statements, log: product.log });
  const noted = () => owner('SELECT name, runs FROM failing_job ORDER BY name');
  const run = async (name: string) => {
    await boss.send(SCHEDULED_QUEUE, { job: name }, { singletonKey: name });
    await wake();
  };
  await run('mended');
  await run('gone');
  await until(async () => (await noted()).length === 2);
  // The next attempt, at once.
  await owner(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
  await until(async () => {
    await wake();
    return (await noted()).every(({ runs }) => runs === 2);
  });
  isBroken = false;
  await owner(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND singleton_key = 'mended'`);
  await until(async () => {
    await wake();
    return (await noted()).length === 1;
  });
  expect(await noted()).toEqual([{ name: 'gone', runs: 2 }]);
  await owner(`DELETE FROM pgboss.schedule WHERE key = 'gone'`);
  await retireQueues(product.db, ['mended']);
  expect(await noted()).toEqual([]);
});

/** What a worker of the version before has made: a queue and a schedule for each job. */
async function startEarlierWorker(names: readonly string[]) {
  const boss = createJobQueue(createStatements(product.db.pool), product.log);
  workers.push(boss);
  await boss.start();
  for (const name of names) {
    await boss.createQueue(name, { policy: 'singleton', retryLimit: 2, heartbeatSeconds: 30 });
    await boss.updateQueue(name, { heartbeatSeconds: 30 });
    await boss.schedule(name, '0 0 1 1 *');
  }
  return boss;
}
const queueNames = async () =>
  (
    await owner<{ name: string }>("SELECT name FROM pgboss.queue WHERE name IN ('a', 'b', 'c') ORDER BY 1")
  ).map(({ name }) => name);

test('queues of the version before go without losing a job, and no job runs in both', async () => {
  const earlier = await startEarlierWorker(['a', 'b', 'c']);
  await earlier.send('a', {});
  const [active] = await earlier.fetch('a');
  await earlier.send('a', {});
  await earlier.send('b', {});
  const names = ['a', 'b', 'c', 'd'];
  await retireQueues(product.db, names);
  const { send, running } = await startWorker(names);

  const schedules = await owner<{ name: string; key: string }>(
    'SELECT name, key FROM pgboss.schedule ORDER BY key',
  );
  expect(schedules).toEqual(names.map((key) => ({ name: SCHEDULED_QUEUE, key })));
  // What waited in b runs here. What waits behind the running one in a stays until that has ended.
  await under(1, { running });
  expect(running[0]?.name).toBe('b');
  expect((await jobsIn('a')).map(({ state }) => state)).toEqual(['active', 'created']);

  await send('a');
  await until(async () => {
    await wake();
    return (await jobsIn(SCHEDULED_QUEUE)).some(({ key, state }) => key === 'a' && state === 'completed');
  });
  expect(running.map(({ name }) => name)).toEqual(['b']);

  await earlier.complete('a', active?.id ?? '');
  await retireQueues(product.db, names);
  await under(2, { running });
  expect(running[1]?.name).toBe('a');

  // For an hour a worker of that version may ask for its queues.
  expect(await queueNames()).toEqual(['a', 'b', 'c']);
  await owner("UPDATE pgboss.queue SET updated_on = now() - interval '61 minutes' WHERE name IN ('a', 'b')");
  await earlier.send('b', {});
  await earlier.fetch('b');
  await retireQueues(product.db, names);
  expect(await queueNames()).toEqual(['b', 'c']);
});

test('a worker of the version before that starts again is undone by the next pass', async () => {
  await startEarlierWorker(['a']);
  await retireQueues(product.db, ['a']);
  await owner("UPDATE pgboss.queue SET updated_on = now() - interval '61 minutes' WHERE name = 'a'");
  await startEarlierWorker(['a']);
  await retireQueues(product.db, ['a']);
  expect(await owner("SELECT FROM pgboss.schedule WHERE name = 'a'")).toEqual([]);
  expect(await queueNames()).toEqual(['a']);
});
