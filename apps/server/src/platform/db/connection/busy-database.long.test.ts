import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../wiring/open-database.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

test('a request without a connection in time gets an error of its own, and logs none', async () => {
  const token = await product.signIn('super');
  const { pool } = product.apiDb;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  product.logged.length = 0;
  const answer = await send(product.app, 'GET /api/communities', {}, token);
  for (const client of taken) client.release();
  expect([answer.statusCode, answer.json().error]).toEqual([503, 'unavailable']);
  const levels = product.logged.map((line) => JSON.parse(line).level as number);
  expect(Math.max(...levels)).toBe(40);
  expect((await send(product.app, 'GET /api/communities', {}, token)).statusCode).toBe(200);
});

test('connections that wait at the start of a process are waited for', async () => {
  const target = new URL(product.ownerUrl);
  let kept = 0;
  // As a machine that is too busy to answer: the first connections are taken, and nothing is said.
  const busy = createServer((socket) => {
    socket.on('error', () => {});
    kept += 1;
    if (kept <= 3) return;
    const upstream = connectTo(Number(target.port), target.hostname);
    upstream.on('error', () => {});
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  try {
    const url = new URL(product.ownerUrl);
    url.port = String((busy.address() as AddressInfo).port);
    const config = readConfig({ DATABASE_URL: url.href, AUDIT_KEY: 'x'.repeat(32), DATABASE_POOL: '2' });
    const opened = openDatabase(config, 'test', { connectionTimeoutMs: 500 });
    // It got through, and found that the key is not the one of this database.
    await expect(opened).rejects.toThrow(/another audit key/);
    expect(kept).toBeGreaterThan(3);
  } finally {
    busy.close();
  }
});
