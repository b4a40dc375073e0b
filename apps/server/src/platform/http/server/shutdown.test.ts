import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => product.close());

test('a shutdown waits for the request in flight, and for no connection that carries none', async () => {
  const { port } = product.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const authorization = await product.signIn('super');
  const { data } = (
    await send(product.app, 'GET /api/traders', { query: { limit: '1' } }, authorization)
  ).json();

  // What browsers do: a connection opened ahead, which may never carry a request.
  const idle = connect(port, '127.0.0.1');
  onTestFinished(() => void idle.destroy());
  await new Promise((resolve) => idle.once('connect', resolve));

  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; SET LOCAL copydesk.scope = 'all'");
  await holder.query('SELECT FROM trader WHERE id = $1 FOR UPDATE', [data[0].id]);
  const slow = fetch(`${url}/api/traders/${data[0].id}`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ reference_number: 'in flight' }),
  });
  await expect.poll(() => isSomebodyWaiting(holder)).toBe(true);

  let isClosed = false;
  const closed = product.app.close().then(() => {
    isClosed = true;
  });
  await sleep(300);
  expect(isClosed).toBe(false);

  await holder.query('ROLLBACK');
  const answer = await slow;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ data: { reference_number: 'in flight' } });
  // Not only after the idle connection timed out: that would be longer than the test has.
  await closed;
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
});

async function isSomebodyWaiting(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ waits: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waits',
  );
  return rows[0]?.waits ?? false;
}
