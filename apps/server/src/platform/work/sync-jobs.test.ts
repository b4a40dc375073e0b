import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { RETRY_NOW } from '../../../../../tests/support/take-sync-jobs.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE } from '../db/database.ts';
import { createStatements, type Statements } from '../db/statements.ts';
import { createJobQueue, FAILED_SYNCS } from './queue.ts';
import { createSyncHandler, redriveSyncs, requestSync, type Sync, type SyncSubject } from './sync-jobs.ts';
import { WORKER_ACTOR } from './worker-actor.ts';

const QUEUE = 'clerk-sync';
let product: TestApp;
let statements: Statements;
let boss: PgBoss;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  statements = createStatements(product.db.pool);
  boss = createJobQueue(statements, product.log);
});
afterAll(() => product?.close());
beforeEach(() => owner(`DELETE FROM pgboss.job WHERE name IN ('${QUEUE}', '${FAILED_SYNCS}')`));

const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);
const request = (id: string, given: Partial<SyncSubject> = {}) =>
  product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => requestSync(tx, QUEUE, { kind: 'user', id, ...given }));
const jobs = (name: string = QUEUE) =>
  owner<{ state: string; since: string | null; key: string }>(
    `SELECT state::text, singleton_key AS key, data ->> 'since' AS since FROM pgboss.job
     WHERE name = $1 ORDER BY created_on, id`,
    [name],
  );
const states = async () => (await jobs()).map(({ state }) => state);

/** A job in the hands of a worker that goes on when it is said to. */
async function claim() {
  const [job] = (await boss.fetch(QUEUE, { includeMetadata: true })) as JobWithMetadata<never>[];
  if (!job) throw new Error('no job is due');
  return {
    /** As the queue ends it. */
    async end(sync: Sync) {
      const handle = createSyncHandler({ queue: QUEUE, statements, log: product.log, sync });
      await handle(job).then(
        () => boss.complete(QUEUE, job.id),
        (error) => boss.fail(QUEUE, job.id, error),
      );
    },
  };
}
const read: Sync = async () => null;
const fail: Sync = async () => 'unreachable';
/** Its worker is silent for longer than a heartbeat. */
const lose = async () => {
  await owner("UPDATE pgboss.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'");
  await owner('UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL');
  await boss.supervise(QUEUE);
  await owner(RETRY_NOW);
};

test('1,000 events of 50 subjects are 50 jobs, and one that comes while its subject is read is another', async () => {
  await Promise.all(
    Array.from({ length: 20 }, async (_, sender) => {
      for (let n = 0; n < 50; n += 1) await request(`user_${(n + sender * 7) % 50}`);
    }),
  );
  expect(await jobs()).toHaveLength(50);
  const first = await claim();
  // Any may have come first of twenty senders at once.
  const waiting = (await jobs()).find(({ state }) => state === 'created');
  await request(/user_\d+/.exec(waiting?.key ?? '')?.[0] ?? 'none waits');
  expect((await jobs()).length).toBe(50);
  for (let n = 0; n < 50; n += 1) await request(`user_${n}`);
  expect((await states()).sort()).toEqual(['active', ...Array(50).fill('created')]);
  await first.end(read);
  expect((await states()).sort()).toEqual(['completed', ...Array(50).fill('created')].sort());
});

test('the latest time of a subject stays, in whatever order the requests come', async () => {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
  for (const n of [3, 5, 1, 4]) await request('user_1', { kind: 'ended_sessions', since: at(n) });
  const subjects: SyncSubject[] = [];
  await (await claim()).end(async (subject) => {
    subjects.push(subject);
    return null;
  });
  expect(subjects).toEqual([{ kind: 'ended_sessions', id: 'user_1', since: at(5) }]);
});

test('what a transaction that is taken back requested is not ordered', async () => {
  await product.db
    .write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      await requestSync(tx, QUEUE, { kind: 'user', id: 'user_none' });
      throw new Error('taken back');
    })
    .catch(() => {});
  expect(await jobs()).toEqual([]);
});

test('while a vendor is away, events of a subject leave one job that tries again, with the latest time', async () => {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
  for (const n of [2, 6, 4]) {
    await request('user_1', { kind: 'ended_sessions', since: at(n) });
    await (await claim()).end(fail);
  }
  const open = (await jobs()).filter(({ state }) => state !== 'completed');
  expect(open).toHaveLength(1);
  expect(open[0]?.state).toBe('retry');
  expect(new Date(open[0]?.since ?? 0)).toEqual(at(6));
  await owner(RETRY_NOW);
  await (await claim()).end(read);
  expect(new Set(await states())).toEqual(new Set(['completed']));
});

test('a worker that was paused ends no job that another one has claimed since', async () => {
  await request('user_1');
  const paused = await claim();
  await lose();
  const other = await claim();
  await paused.end(read);
  // Its read may be older than what was requested meanwhile: the job is not done with it.
  expect(await states()).toEqual(['retry']);
  await other.end(read);
  expect(await states()).toEqual(['retry']);
  await owner(RETRY_NOW);
  await (await claim()).end(read);
  expect(await states()).toEqual(['completed']);
});

test('a job whose worker is gone is handed out again', async () => {
  await request('user_1');
  await claim();
  await lose();
  await (await claim()).end(read);
  expect(await states()).toEqual(['completed']);
});

test('an error of ours keeps the job, and its text stays out of the queue', async () => {
  await request('user_1');
  await (await claim()).end(async () => {
    throw new Error('duplicate key value (email)=(ada@people.example)');
  });
  expect(await states()).toEqual(['retry']);
  const [stored] = await owner<{ output: string }>(
    `SELECT output::text FROM pgboss.job WHERE name = '${QUEUE}'`,
  );
  expect(stored?.output).toContain('failed');
  expect(stored?.output).not.toContain('ada@');
});

/** In 20 attempts. */
const giveUp = async () => {
  await owner(
    `UPDATE pgboss.job SET retry_count = retry_limit - 1, started_on = now() WHERE name = '${QUEUE}'`,
  );
  await (await claim()).end(fail);
};

test('what failed 20 times is kept apart, and an operator sends it again', async () => {
  await request('user_1', { kind: 'ended_sessions', since: new Date('2026-01-01T06:00:00Z') });
  await giveUp();
  expect(await states()).toEqual(['failed']);
  expect(await jobs(FAILED_SYNCS)).toMatchObject([{ state: 'created', key: 'ended_sessions:user_1' }]);
  const redrive = () => product.operatorDb.write(WHOLE_SCOPE, WORKER_ACTOR, redriveSyncs);
  // A request that waits already keeps the later time.
  await request('user_1', { kind: 'ended_sessions', since: new Date('2026-01-01T02:00:00Z') });
  expect(await redrive()).toBe(1);
  expect(await jobs(FAILED_SYNCS)).toEqual([]);
  const waiting = (await jobs()).filter(({ state }) => state === 'created');
  expect(waiting.map(({ since }) => new Date(since ?? 0).toISOString())).toEqual([
    '2026-01-01T06:00:00.000Z',
  ]);
  expect(await redrive()).toBe(0);
});

test('a later read of the subject answers what was given up', async () => {
  for (const id of ['user_1', 'user_2']) {
    await request(id);
    await giveUp();
  }
  await request('user_1');
  await (await claim()).end(read);
  expect((await jobs(FAILED_SYNCS)).map(({ key }) => key)).toEqual(['user:user_2']);
});
