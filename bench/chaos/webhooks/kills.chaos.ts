import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { workerUrlOf } from '../../../tests/support/application-url.ts';
import { COMPILE_CACHE } from '../../../tests/support/compile-cache.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { RETRY_NOW } from '../../../tests/support/take-sync-jobs.ts';

// npm run chaos -- webhooks: 1,000 events of 50 subjects, beside three workers that are killed by SIGKILL,
// or stopped for longer than a heartbeat, in the middle of their reads. In the end every subject was read after its last
// event. The control orders no read while a job of the subject is under way, as a queue with one job a key does: it has to
// leave subjects behind, or this proves nothing.
const kills = Number(process.env.CHAOS_KILLS ?? 20);
const EVENTS = 1_000;
const SUBJECTS = 50;
const BURST = 100;
const WORKERS = 3;
const HEARTBEAT_MS = 10_000;
const WORKER = fileURLToPath(new URL('./sync-worker.ts', import.meta.url));

const WORLD = `
  CREATE SEQUENCE chaos_read;
  CREATE TABLE chaos_vendor AS SELECT 'user_' || n AS id, 0 AS version FROM generate_series(1, ${SUBJECTS}) n;
  CREATE TABLE chaos_copy AS SELECT id, version, 0::bigint AS read_number FROM chaos_vendor;
  GRANT ALL ON chaos_vendor, chaos_copy TO copydesk_worker;
  GRANT ALL ON SEQUENCE chaos_read TO copydesk_worker;
  UPDATE pgboss.queue SET heartbeat_seconds = ${HEARTBEAT_MS / 1_000} WHERE name = 'clerk-sync';`;
const REQUEST = `SELECT app.request_sync('clerk-sync', 'user', $1, NULL)`;
const NAIVE = `${REQUEST} WHERE NOT EXISTS (
  SELECT FROM pgboss.job WHERE name = 'clerk-sync' AND singleton_key = 'user:' || $1 AND state <= 'active')`;

async function play(request: string) {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(WORLD);
  const url = await workerUrlOf(database.ownerUrl);
  const start = () =>
    spawn(process.execPath, ['--no-warnings', WORKER], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, DATABASE_URL: url },
    });
  const workers: ChildProcess[] = Array.from({ length: WORKERS }, start);
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await client.end();
    await database.drop();
  });

  const killing = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(2_000);
      const at = randomInt(WORKERS);
      const worker = workers[at];
      if (kill % 5 === 4) {
        worker?.kill('SIGSTOP');
        setTimeout(() => worker?.kill('SIGCONT'), 1.5 * HEARTBEAT_MS);
      } else {
        worker?.kill('SIGKILL');
        workers[at] = start();
      }
    }
  })();
  // As the vendor does: the change has happened before its event arrives.
  for (let event = 0; event < EVENTS; event += 1) {
    const id = `user_${randomInt(SUBJECTS) + 1}`;
    await client.query('UPDATE chaos_vendor SET version = version + 1 WHERE id = $1', [id]);
    await client.query(request, [id]);
    if (event % BURST === 0) await sleep((kills * 2_000 * BURST) / EVENTS);
  }
  await killing;
  const open = async () => {
    await client.query(RETRY_NOW);
    const { rowCount } = await client.query(
      "SELECT FROM pgboss.job WHERE name = 'clerk-sync' AND state <= 'active' LIMIT 1",
    );
    return rowCount !== 0;
  };
  while (await open()) await sleep(500);
  const { rows } = await client.query<{ behind: number; reads: string; given_up: number }>(
    `SELECT count(*) FILTER (WHERE c.version <> v.version)::int AS behind, (SELECT last_value FROM chaos_read) AS reads,
       (SELECT count(*)::int FROM pgboss.job WHERE name = 'sync-failed') AS given_up
     FROM chaos_vendor v JOIN chaos_copy c USING (id)`,
  );
  return rows[0];
}

test('workers that are killed in the middle of reads leave no subject behind', async () => {
  const result = await play(REQUEST);
  console.log(`${EVENTS} events, ${kills} kills and stops: ${JSON.stringify(result)}`);
  expect(result).toMatchObject({ behind: 0, given_up: 0 });
  expect(Number(result?.reads)).toBeLessThan(0.9 * EVENTS);
});

test('the control, which orders nothing for a subject whose job is under way, leaves some behind', async () => {
  const result = await play(NAIVE);
  console.log(`control: ${JSON.stringify(result)}`);
  expect(result?.behind).toBeGreaterThan(0);
});
