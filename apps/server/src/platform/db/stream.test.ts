import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { isStatementTimeout } from './connection/connection.ts';
import { WHOLE_SCOPE } from './database.ts';
import { type StreamOptions, streamRows } from './stream.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

const stream = (statement: ReturnType<typeof sql>, options: Partial<StreamOptions> = {}) =>
  streamRows({ url: product.ownerUrl, ...options }, WHOLE_SCOPE, (tx) => statement.compile(tx.sql));
const readers = () =>
  asOwner(
    product.ownerUrl,
    `SELECT FROM pg_stat_activity WHERE application_name = 'copydesk-export' AND datname = current_database()`,
  );
async function readAll(rows: AsyncIterable<{ n: number }>, beforeEach = async (_n: number) => {}) {
  const read: number[] = [];
  for await (const { n } of rows) {
    await beforeEach(n);
    read.push(n);
  }
  return read;
}
const to = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('the time limit is that of a fetch, not of a slow reader', async () => {
  const rows = await stream(sql`SELECT n FROM generate_series(1, 5000) n`, { statementTimeoutMs: 1_000 });
  const read = await readAll(rows, async (n) => {
    if (n % 1_000 === 0) await sleep(700);
  });
  expect(read).toEqual(to(5_000));
  await expect.poll(readers).toEqual([]);
});

test('a fetch beyond its limit ends the stream', async () => {
  const rows = await stream(sql`SELECT n, pg_sleep(0.01) FROM generate_series(1, 500) n`, {
    statementTimeoutMs: 300,
  });
  const error = await readAll(rows).catch((reason: unknown) => reason);
  expect(isStatementTimeout(error), String(error)).toBe(true);
  await expect.poll(readers).toEqual([]);
});

test.each([0, 1, 499, 500, 501, 1_000])('%i rows arrive once and in order', async (last) => {
  expect(await readAll(await stream(sql`SELECT n FROM generate_series(1, ${last}::int) n`))).toEqual(
    to(last),
  );
});

test('a statement that fails after some rows fails the reader, and closes its connection', async () => {
  const rows = await stream(sql`SELECT n, 1 / (n - 1700) FROM generate_series(1, 5000) n`);
  await expect(readAll(rows)).rejects.toThrow('division by zero');
  await expect.poll(readers).toEqual([]);
});

test('a reader that leaves while the database works is not waited for', async () => {
  const rows = await stream(sql`SELECT n, pg_sleep(0.001) FROM generate_series(1, 100000) n`);
  for await (const { n } of rows as AsyncIterable<{ n: number }>) if (n === 600) break;
  expect(rows.destroyed).toBe(true);
  await expect.poll(readers).toEqual([]);
});
