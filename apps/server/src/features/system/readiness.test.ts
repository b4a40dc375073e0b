import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { beat, endBeat } from '../../platform/jobs/heartbeat.store.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: null });
});
afterAll(() => product?.close());

const ask = async (query: Record<string, string> = {}) => {
  const answer = await send(product.app, 'GET /api/ready', { query });
  return { status: answer.statusCode, ...answer.json() };
};
const worker = crypto.randomUUID();
const silentFor = (time: string) =>
  asOwner(product.ownerUrl, `UPDATE worker_heartbeat SET seen_at = now() - interval '${time}'`);

test('without a worker for a minute the API still serves, says so, and fails the check that requires one', async () => {
  const problems = [expect.stringMatching(/^No worker has reported/)];
  const expected = { status: 200, data: { status: 'degraded', workers: 0, problems } };
  expect(await ask()).toMatchObject(expected);
  expect(await ask({ workers: 'required' })).toMatchObject({
    status: 503,
    error: 'unavailable',
    message: expect.stringMatching(/^No worker has reported in the last minute/),
  });

  await beat(product.db, worker, { problem: null, noted: null });
  expect(await ask({ workers: 'required' })).toMatchObject({
    status: 200,
    data: { status: 'ready', workers: 1, audit: 'intact', problems: [] },
  });
  await silentFor('45 seconds');
  expect(await ask({ workers: 'required' })).toMatchObject({
    status: 200,
    data: { status: 'ready', workers: 0 },
  });
  await silentFor('61 seconds');
  expect(await ask()).toMatchObject(expected);
  expect((await ask({ workers: 'required' })).status).toBe(503);
});

test('a restart of the only worker is no problem', async () => {
  await beat(product.db, worker, { problem: null, noted: null });
  await endBeat(product.db, worker);
  expect(await ask({ workers: 'required' })).toMatchObject({
    status: 200,
    data: { status: 'ready', workers: 0, audit: 'unchecked', problems: [] },
  });
});
