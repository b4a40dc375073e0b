import { type AddressInfo, connect } from 'node:net';
import { PERSONAS } from '@copydesk/contract/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createTestApp } from '../../../../../../tests/support/test-app.ts';
import { ensureDemoPersonas } from './demo-personas.ts';

const ask = (world: World, over: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  world.app.inject({ method: 'POST', url: '/api/demo/sign-in', payload: { persona: 'super' }, ...over });

describe('in the demo world', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('every persona signs in with one call', async () => {
    for (const persona of PERSONAS) {
      const response = await world.app.inject({
        method: 'POST',
        url: '/api/demo/sign-in',
        payload: { persona },
      });
      expect(response.statusCode).toBe(200);
      expect(response.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      const result = await world.identity.authenticate(`Bearer ${response.json().token}`);
      expect(result).toMatchObject({ ok: true, principal: { email: `${persona}@demo.example` } });
    }
  });

  test('creating the personas again changes nothing, even in two processes at once', async () => {
    await Promise.all([ensureDemoPersonas(world), ensureDemoPersonas(world)]);
    const { rows } = await world.pool.query('SELECT count(*)::int AS users FROM identity."user"');
    expect(rows).toEqual([{ users: PERSONAS.length }]);
  });

  test.each([
    [{ remoteAddress: '192.0.2.1' }],
    [{ remoteAddress: '::ffff:192.0.2.1' }],
    [{ headers: { host: 'console.example.com' } }],
    [{ headers: { host: '127.0.0.1.evil.test:3000' } }],
    [{ headers: { 'x-forwarded-for': '127.0.0.1' } }],
    [{ headers: { forwarded: 'for=127.0.0.1' } }],
    ...[
      'x-forwarded-proto',
      'x-forwarded-port',
      'x-forwarded',
      'x-real-ip',
      'x-client-ip',
      'x-original-forwarded-for',
      'x-envoy-external-address',
      'via',
      'cf-connecting-ip',
      'cf-ray',
      'true-client-ip',
      'fastly-client-ip',
      'cdn-loop',
    ].map((name) => [{ headers: { [name]: '127.0.0.1' } }] as [{ headers: Record<string, string> }]),
    [{ headers: { host: 'localhost:3000', origin: 'https://evil.example' } }],
    [{ headers: { host: 'localhost:3000', origin: 'http://localhost:8080' } }],
    [{ headers: { host: 'localhost:3000', origin: 'null' } }],
    [{ headers: { 'sec-fetch-site': 'cross-site' } }],
    [{ headers: { 'sec-fetch-site': 'same-site' } }],
  ])('not from elsewhere: %o', async (over) => {
    const response = await ask(world, over);
    expect([response.statusCode, response.json().error]).toEqual([403, 'demo_only_on_loopback']);
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test.each([['[::1]:3000'], ['localhost'], ['127.0.0.1:8080']])('from this machine as %s', async (host) => {
    expect((await ask(world, { headers: { host } })).statusCode).toBe(200);
    const page = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await ask(world, { headers: page })).statusCode).toBe(200);
  });

  // Requests that our HTTP clients would never send, byte by byte.
  test.each([
    ['HTTP/1.0', 'POST /api/demo/sign-in HTTP/1.0\r\nHost: localhost\r\n'],
    ['a whole URL', 'POST http://localhost/api/demo/sign-in HTTP/1.1\r\nHost: localhost\r\n'],
    ['two hosts', 'POST /api/demo/sign-in HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n'],
    ['two hosts alike', 'POST /api/demo/sign-in HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n'],
  ])('nor with %s', async (_what, head) => {
    if (!world.app.server.listening) await world.app.listen({ port: 0, host: '127.0.0.1' });
    const body = '{"persona":"super"}';
    const request = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect((world.app.server.address() as AddressInfo).port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
      socket.write(request);
    });
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).not.toMatch(/set-cookie/i);
  });
});

test('outside the demo world it is not found, personas or not', async () => {
  const world = await createWorld({ isDemo: false, personas: false });
  await asOwner(world.ownerUrl, `INSERT INTO demo_world (seeded_at, traders) VALUES (now(), 0)`);
  await ensureDemoPersonas(world);
  await asOwner(world.ownerUrl, 'DELETE FROM demo_world');
  expect((await ask(world)).statusCode).toBe(404);
  await world.close();
});

test('nor where the setting says so, but the database is not marked as a demo world', async () => {
  const world = await createWorld();
  await asOwner(world.ownerUrl, 'DELETE FROM demo_world');
  const response = await ask(world);
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([404, undefined]);
  await world.close();
});

test('an installation that is no demo has no such route, and its console no such button', async () => {
  const product = await createTestApp({ scale: null, env: { COPYDESK_DEMO: '0' } });
  try {
    const ask = (url: string) =>
      product.app.inject({ method: 'POST', url, payload: { persona: 'super' } }).then((answer) => ({
        status: answer.statusCode,
        error: answer.json().error,
      }));
    expect(await ask('/api/demo/sign-in')).toEqual(await ask('/api/demo/of-nothing'));
    expect((await ask('/api/demo/sign-in')).status).toBe(404);
    expect((await product.app.inject('/api/openapi.json')).json().paths).not.toHaveProperty(
      '/api/demo/sign-in',
    );
    // The sign-in page shows personas where this says so, and nowhere else.
    expect((await product.app.inject('/api/config')).json().data.demo).toBe(false);
  } finally {
    await product.close();
  }
});
