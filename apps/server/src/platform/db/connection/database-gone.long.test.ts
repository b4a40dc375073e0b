import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createCuttableProxy } from '../../../../../../tests/support/cuttable-proxy.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

/** Of the proxy, by a name that is looked up for each connection. */
const NAME = 'localhost';

let product: TestApp;
let token: string;
const proxies: Awaited<ReturnType<typeof createCuttableProxy>>[] = [];

beforeAll(async () => {
  product = await createTestApp({
    scale: 0.05,
    viaProxy: async (ownerUrl) => {
      const proxy = await createCuttableProxy(ownerUrl);
      proxies.push(proxy);
      const url = new URL(proxy.url);
      url.hostname = NAME;
      return url.href;
    },
  });
  token = await product.signIn('super');
});
afterAll(async () => {
  await product.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

test('without the database requests answer 503 in the envelope, and recover by themselves', async () => {
  const [proxy] = proxies;
  const { data } = (await send(product.app, 'GET /api/traders', { query: { limit: '1' } }, token)).json();
  const id = data[0].id as string;
  const change = (reference: string) =>
    send(
      product.app,
      'PATCH /api/traders/{id}',
      { params: { id }, body: { reference_number: reference } },
      token,
    );
  expect((await change('before')).statusCode).toBe(200);

  proxy?.cut();
  const cutAt = Date.now();
  const answers = [];
  for (let n = 0; n < 5; n++) {
    answers.push(
      await send(product.app, 'GET /api/traders/{id}', { params: { id } }, token),
      await change('meanwhile'),
    );
    await sleep(200);
  }
  answers.push(await send(product.app, 'GET /api/ready', {}));
  for (const answer of answers) {
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json()).toEqual({
      success: false,
      error: 'unavailable',
      message: 'The service is not available at the moment. Please try again.',
    });
    expect(answer.headers['retry-after']).toBe('2');
  }
  expect((await send(product.app, 'GET /api/health', {})).statusCode).toBe(200);
  await sleep(Math.max(0, 10_000 - (Date.now() - cutAt)));
  proxy?.mend();

  let recovered = await send(product.app, 'GET /api/traders/{id}', { params: { id } }, token);
  for (let tries = 0; tries < 20 && recovered.statusCode !== 200; tries++) {
    await sleep(250);
    recovered = await send(product.app, 'GET /api/traders/{id}', { params: { id } }, token);
  }
  // What was answered with 200 is there, what was answered with 503 is not.
  expect(recovered.json().data.reference_number).toBe('before');
  expect((await change('after')).statusCode).toBe(200);
  const [row] = await asOwner(product.ownerUrl, 'SELECT reference_number FROM trader WHERE id = $1', [id]);
  expect(row?.reference_number).toBe('after');
  expect(product.logged.join('')).not.toContain(new URL(product.ownerUrl).password || 'no password');
}, 30_000);

test('while the name of the database cannot be resolved, requests answer 503, and have no line of their own', async () => {
  const [proxy] = proxies;
  const resolve = dns.lookup;
  const down = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: unknown[]) => {
    const done = rest.at(-1) as (error: Error) => void;
    if (name !== NAME) return (resolve as (...given: unknown[]) => void)(name, ...rest);
    const error = { code: 'EAI_AGAIN', errno: -3001, syscall: 'getaddrinfo', hostname: name };
    setImmediate(done, Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), error));
  }) as never);
  onTestFinished(() => down.mockRestore());
  product.logged.length = 0;
  proxy?.reset();
  const answers = [];
  for (let n = 0; n < 10; n++)
    answers.push(
      await send(product.app, 'GET /api/traders', { query: { limit: '1' } }, token),
      await send(product.app, 'GET /api/ready', {}),
    );
  for (const answer of answers) {
    expect([answer.statusCode, answer.json().error], answer.body).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('2');
  }
  const lines = product.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  // The outage may have been said a minute ago; no request has a line of its own.
  expect(lines.map(({ msg }) => msg).filter((msg) => msg !== 'no connection to the database')).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(1);

  down.mockRestore();
  await expect
    .poll(
      async () => (await send(product.app, 'GET /api/traders', { query: { limit: '1' } }, token)).statusCode,
    )
    .toBe(200);
});
