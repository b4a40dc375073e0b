import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CuttableProxy, createCuttableProxy } from '../../../../../../tests/support/cuttable-proxy.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { shortenWaits } from '../../../../../../tests/support/short-waits.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { startWorkerProcess } from '../../../../../../tests/support/worker-process.ts';
import { WHOLE_SCOPE } from '../database.ts';
import { watchLongWork } from '../installation/long-work.ts';
import { streamRows } from '../stream.ts';
import { createClient } from './connection.ts';
import { isDatabaseGone } from './outage.ts';
import { WAITS } from './silence.ts';

shortenWaits({
  connectMs: 1_000,
  beginMs: 1_000,
  marginMs: 500,
  rowsMs: 1_000,
  goodbyeMs: 500,
  workEveryMs: 500,
});
let product: TestApp;
let proxy: CuttableProxy;
let token: string;
let ids: string[];

beforeAll(async () => {
  product = await createTestApp({
    scale: 0.02,
    statementTimeoutMs: 1_500,
    viaProxy: async (ownerUrl) => {
      proxy = await createCuttableProxy(ownerUrl);
      return proxy.url;
    },
  });
  token = await product.signIn('super');
  const { data } = (await send(product.app, 'GET /api/traders', { query: { limit: '8' } }, token)).json();
  ids = data.map(({ id }: { id: string }) => id);
});
afterAll(async () => {
  await product.close();
  await proxy.close();
});

const read = (id: string) => send(product.app, 'GET /api/traders/{id}', { params: { id } }, token);
const change = (id: string) =>
  send(
    product.app,
    'PATCH /api/traders/{id}',
    { params: { id }, body: { reference_number: crypto.randomUUID() } },
    token,
  );
const signIn = () => send(product.app, 'POST /api/demo/sign-in', { body: { persona: 'staff' } });

test('when all connections go silent, every request is answered, and one wait replaces all of them', async () => {
  // Every pool has connections, more than one request needs.
  await Promise.all([...ids.map(read), ...ids.map(change), signIn(), signIn()]);
  proxy.silence();
  product.logged.length = 0;
  const first = await Promise.all([...ids.slice(0, 2).map(read), change(ids[2] as string), signIn()]);
  for (const answer of first) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json().error).toBe('unavailable');
    expect(answer.headers['retry-after']).toBe('2');
  }
  // Those that were idle are gone with the first: the next requests wait for none of them.
  const next = await Promise.all([...ids.map(read), ...ids.map(change), signIn()]);
  expect(next.map(({ statusCode }) => statusCode)).toEqual(next.map(() => 200));
  // None of these requests has a line of its own.
  const lines = product.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(lines.filter(({ msg }) => msg === 'request failed')).toEqual([]);
});

test('a transaction whose connection goes silent in its midst is given up, and leaves nothing', async () => {
  const [id = ''] = ids;
  const before = (await read(id)).json().data.reference_number;
  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; SET LOCAL copydesk.scope = 'all'");
  await holder.query('SELECT FROM trader WHERE id = $1 FOR UPDATE', [id]);
  const changed = change(id);
  await expect
    .poll(async () => (await holder.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
    .toBeGreaterThan(0);
  proxy.silence();
  expect((await changed).statusCode).toBe(503);
  await holder.query('ROLLBACK');
  expect((await read(id)).json().data.reference_number).toBe(before);
  expect((await change(ids[1] as string)).statusCode).toBe(200);
});

test('a statement that takes its time is not taken for a silent one', async () => {
  const slept = product.apiDb.read(WHOLE_SCOPE, (tx) =>
    sql<{ n: number }>`SELECT 1 AS n FROM pg_sleep(1.3)`.execute(tx.sql),
  );
  expect((await slept).rows).toEqual([{ n: 1 }]);
});

test('an export ends with an error when its connection goes silent, and not while its reader is slow', async () => {
  const stream = await streamRows({ url: proxy.url }, WHOLE_SCOPE, (tx) =>
    sql`SELECT n FROM generate_series(1, 20000) n`.compile(tx.sql),
  );
  const rows = stream[Symbol.asyncIterator]();
  expect((await rows.next()).value).toEqual({ n: 1 });
  await sleep(2 * WAITS.rowsMs);
  expect((await rows.next()).value).toEqual({ n: 2 });
  proxy.silence();
  const failure = await (async () => {
    while (!(await rows.next()).done);
  })().catch((error: unknown) => error);
  expect(isDatabaseGone(failure), String(failure)).toBe(true);
});

test('a migration waits for as long as the server works on it, and no longer', async () => {
  const client = createClient({ connectionString: proxy.url }, Number.POSITIVE_INFINITY);
  await client.connect();
  await watchLongWork(client, proxy.url);
  expect((await client.query('SELECT 1 AS n FROM pg_sleep(2.5)')).rows).toEqual([{ n: 1 }]);
  const lost = client.query('SELECT pg_sleep(1)').catch((error: unknown) => error);
  await sleep(300);
  proxy.silence();
  expect(String(await lost)).toMatch(/the database no longer works for it/);
});

test('a worker shuts down in order though its connections are silent', async () => {
  const ownProxy = await createCuttableProxy(product.ownerUrl);
  onTestFinished(() => void ownProxy.close());
  const hasBeaten = async () =>
    (await asOwner(product.ownerUrl, 'SELECT FROM worker_heartbeat WHERE ended_at IS NULL')).length;
  const { port } = new URL(ownProxy.url);
  const worker = await startWorkerProcess(product.ownerUrl, {}, port);
  await expect.poll(hasBeaten, { timeout: 600_000 }).toBe(1);
  // Its loops take a turn every second or two: each now waits on a connection that says nothing.
  ownProxy.silence();
  await sleep(2_500);
  worker.kill('SIGTERM');
  expect(await once(worker, 'exit')).toEqual([0, null]);
  expect(await hasBeaten()).toBe(0);
}, 600_000);
