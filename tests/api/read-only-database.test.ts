import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../support/owner.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
let token: string;
let id: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  token = await product.signIn('super');
  id = (await send(product.app, 'GET /api/traders', { query: { limit: '1' } }, token)).json().data[0].id;
  await setReadOnly('on');
});
afterAll(() => product.close());

/** As on a replica: every connection of the product begins in this state. */
async function setReadOnly(state: 'on' | 'off', endsConnections = true) {
  const name = new URL(product.ownerUrl).pathname.slice(1);
  await asOwner(
    product.ownerUrl,
    `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${state}; COMMIT;
     SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE ${endsConnections} AND datname = '${name}' AND pid <> pg_backend_pid()`,
  );
}

test('without a leader reading works, changes are a 503 that says when to come back, and readiness says so', async () => {
  const read = () => send(product.app, 'GET /api/traders/{id}', { params: { id } }, token);
  await expect.poll(async () => (await read()).statusCode).toBe(200);

  const ready = await send(product.app, 'GET /api/ready');
  expect([ready.statusCode, ready.json().data]).toMatchObject([200, { status: 'degraded', writes: false }]);
  expect(ready.json().data.problems).toContainEqual(
    expect.stringMatching(/^The database answers as a read replica/),
  );

  const refused = [
    await send(
      product.app,
      'PATCH /api/traders/{id}',
      { params: { id }, body: { reference_number: 'new' } },
      token,
    ),
    await send(product.app, 'POST /api/invoices/runs', { body: {} }, token, { 'idempotency-key': 'a-run' }),
    await send(
      product.app,
      'POST /api/saved-views',
      { body: { screen: 'invoices', name: 'Mine', query: '' } },
      token,
    ),
    await send(product.app, 'POST /api/demo/sign-in', { body: { persona: 'staff' } }),
    await product.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { origin: 'http://localhost:3000' },
      payload: { email: 'staff@demo.example', password: 'wrong-password-of-staff' },
    }),
  ];
  for (const answer of refused) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json()).toEqual({
      success: false,
      error: 'writes_unavailable',
      message: 'Changes are not possible at the moment. Reading works. Try again in a minute.',
    });
    expect(answer.headers['retry-after']).toBe('60');
  }

  await setReadOnly('off');
  await expect.poll(async () => (await send(product.app, 'GET /api/ready')).json().data?.writes).toBe(true);
  expect((await send(product.app, 'POST /api/demo/sign-in', { body: { persona: 'staff' } })).statusCode).toBe(
    200,
  );
});

test('connections that were opened without a leader take writes once there is one, though reads keep them busy', async () => {
  const reads = { isOn: true };
  const read = async () => {
    while (reads.isOn) await send(product.app, 'GET /api/traders/{id}', { params: { id } }, token);
  };
  const write = (reference: string) =>
    send(
      product.app,
      'PATCH /api/traders/{id}',
      { params: { id }, body: { reference_number: reference } },
      token,
    );
  await setReadOnly('on');
  const reading = Promise.all(Array.from({ length: 6 }, read));
  await expect.poll(async () => (await write('meanwhile')).statusCode).toBe(503);
  const refused = await write('meanwhile');
  expect([refused.json().error, refused.headers['retry-after']]).toEqual(['writes_unavailable', '60']);

  // The setting is gone, and the connections that began with it stay.
  await setReadOnly('off', false);
  // One that was opened a moment ago is tried until its time is over.
  const writeTwenty = async () => {
    const written = await Promise.all(Array.from({ length: 20 }, (_, nth) => write(`after-${nth}`)));
    return new Set(written.map(({ statusCode }) => statusCode));
  };
  await expect.poll(writeTwenty, { timeout: 10_000 }).toEqual(new Set([200]));
  expect(await writeTwenty()).toEqual(new Set([200]));
  expect((await send(product.app, 'GET /api/ready')).json().data.writes).toBe(true);
  reads.isOn = false;
  await reading;
});
