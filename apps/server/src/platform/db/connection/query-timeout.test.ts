import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patiently } from '../../../../../../tests/support/patiently.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02, statementTimeoutMs: 300 });
});
afterAll(() => product.close());

test('a statement that runs into its time limit is a 503 that says so, and changes nothing', async () => {
  const token = await product.signIn('super');
  // On a busy machine a statement can take as long without a lock. That is the same 503, and is asked again.
  const inTime = (asked: () => ReturnType<typeof send>) =>
    patiently(async () => {
      const answer = await asked();
      return { status: answer.statusCode, data: answer.json().data };
    });
  const list = await inTime(() => send(product.app, 'GET /api/traders', { query: { limit: '1' } }, token));
  const { id, reference_number: before } = list.data[0];
  const call = (key: string, body?: object) => send(product.app, key, { params: { id }, body }, token);

  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN; SET LOCAL copydesk.scope = 'all'");
    await holder.query('LOCK TABLE trader');
    const read = call('GET /api/traders/{id}');
    const changed = call('PATCH /api/traders/{id}', { reference_number: 'too late' });
    for (const answer of await Promise.all([read, changed])) {
      expect(answer.statusCode, answer.body).toBe(503);
      expect(answer.json()).toEqual({
        success: false,
        error: 'query_timeout',
        message: 'This took too long. Please narrow the filters and try again.',
      });
      expect(answer.headers['retry-after']).toBe('2');
    }
  } finally {
    await holder.end();
  }
  expect((await inTime(() => call('GET /api/traders/{id}'))).data.reference_number).toBe(before);
  const changed = await inTime(() => call('PATCH /api/traders/{id}', { reference_number: 'in time' }));
  expect(changed.status).toBe(200);
});
