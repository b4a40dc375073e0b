import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

test('a request that gets no connection in time is told so, and is no error in the log', async () => {
  const token = await product.signIn('super');
  const { pool } = product.db;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  product.logged.length = 0;
  const answer = await send(product.app, 'GET /api/communities', {}, token);
  for (const client of taken) client.release();
  expect([answer.statusCode, answer.json().error]).toEqual([503, 'unavailable']);
  const levels = product.logged.map((line) => JSON.parse(line).level as number);
  expect(Math.max(...levels)).toBe(40);
  expect((await send(product.app, 'GET /api/communities', {}, token)).statusCode).toBe(200);
});
