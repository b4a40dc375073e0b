import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpServer } from '../../apps/server/src/platform/http/server/server.ts';
import { sendBytes } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
let port: number;
let token: string;
let traderId: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  port = (product.app.server.address() as AddressInfo).port;
  token = await product.signIn('super');
  const list = await product.app.inject({ url: '/api/traders?limit=1', headers: { authorization: token } });
  traderId = list.json().data[0].id;
});
afterAll(() => product.close());
beforeEach(() => {
  product.logged.length = 0;
});

const errors = () => product.logged.filter((line) => JSON.parse(line).level >= 50);

describe('text that is none', () => {
  const patch = (payload: string) =>
    product.app.inject({
      method: 'PATCH',
      url: `/api/traders/${traderId}`,
      headers: { authorization: token, 'content-type': 'application/json' },
      payload,
    });

  test.each([
    ['U+0000 in a body', String.raw`{"reference_number":"a\u0000b"}`],
    ['a lone surrogate in a body', String.raw`{"reference_number":"\ud800"}`],
    ['a lone low surrogate', String.raw`{"reference_number":"x\udc00y"}`],
    ['U+0000 in a key', String.raw`{"a\u0000":"b"}`],
    ['a list in lists', `{"reference_number":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['an object in objects', `{"reference_number":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}`],
  ])('%s is a 400', async (_what, body) => {
    const answer = await patch(body);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'validation_failed']);
    expect(errors()).toEqual([]);
  });

  test('a whole surrogate pair is text', async () => {
    expect((await patch(String.raw`{"reference_number":"\ud83d\ude00"}`)).statusCode).toBe(200);
  });

  test.each([
    ['U+0000 in a query', '/api/traders?search=%00'],
    ['U+0000 in a path that leads nowhere', '/api/nothing/%00'],
    ['U+0000 in the path of a trader', '/api/traders/%00'],
    ['bytes in a path that are no text', '/api/traders/%ED%A0%80'],
    ['half an escape in a path', '/api/traders/%E0%A4%A'],
  ])('%s is a 400 in the envelope', async (_what, url) => {
    const answer = await product.app.inject({ url, headers: { authorization: token } });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'validation_failed']);
    expect(answer.json()).toMatchObject({
      success: false,
      error: expect.any(String),
      message: expect.any(String),
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toMatch(/default-src/);
    expect(errors()).toEqual([]);
  });

  test('bytes in a query that are no text never reach the database', async () => {
    const answer = await product.app.inject({
      url: '/api/traders?search=%ED%A0%80',
      headers: { authorization: token },
    });
    expect(answer.statusCode).toBeLessThan(500);
    expect(errors()).toEqual([]);
  });

  test.each([
    ['/sign-in/email', String.raw`{"email":"a\u0000@b.example","password":"x"}`],
    ['/sign-in/email', String.raw`{"email":"a@b.example","password":"\ud800"}`],
    ['/request-password-reset', String.raw`{"email":"a\u0000@b.example"}`],
    ['/sign-in/email', `{"email":${'['.repeat(8_000)}${']'.repeat(8_000)}}`],
  ])('nor does it reach sign-in: %s %.60s', async (path, payload) => {
    const answer = await product.app.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      headers: { origin: 'http://localhost:3000', 'content-type': 'application/json' },
      payload,
    });
    expect(answer.statusCode).toBe(400);
    expect(errors()).toEqual([]);
  });

  test('a path longer than any id finds nothing', async () => {
    const answer = await product.app.inject({
      url: `/api/traders/${'a'.repeat(300)}`,
      headers: { authorization: token },
    });
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found']);
  });
});

describe('the position of a stream', () => {
  const status = async (position: string) => {
    const controller = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
      headers: { authorization: token, 'last-event-id': position },
      signal: controller.signal,
    });
    controller.abort();
    return answer.status;
  };

  test.each(['18446744073709551616', '99999999999999999999', '9'.repeat(2_000)])(
    'an impossible value is a 400: %.24s',
    async (position) => {
      expect(await status(position)).toBe(400);
      expect(errors()).toEqual([]);
    },
  );
  test.each(['18446744073709551615', '0', 'abc'])('is taken as far as it goes: %s', async (position) => {
    expect(await status(position)).toBe(200);
  });
});

test('six streams of one person run, the seventh is refused, and a seat is free again after an end', async () => {
  const authorization = await product.signIn('staff');
  const open = async (by = authorization) => {
    const controller = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
      headers: { authorization: by },
      signal: controller.signal,
    });
    return { answer, close: () => controller.abort() };
  };
  const streams = await Promise.all(Array.from({ length: 6 }, () => open()));
  expect(streams.map(({ answer }) => answer.status)).toEqual(Array(6).fill(200));
  const seventh = await open();
  expect(seventh.answer.status).toBe(429);
  expect(await seventh.answer.json()).toMatchObject({ success: false, error: 'too_many_streams' });
  const other = await open(await product.signIn('staff-multi'));
  expect(other.answer.status).toBe(200);
  streams[0]?.close();
  await expect
    .poll(async () => {
      const { answer, close } = await open();
      close();
      return answer.status;
    })
    .toBe(200);
  for (const { close } of [...streams, other]) close();
});

describe('malformed requests', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
    [
      'a header without end',
      `GET /api/health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'two lengths',
      'POST /api/setup HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('%s is answered in the envelope, with the headers', async (_what, bytes, status, code) => {
    const answer = await sendBytes(port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, error: code, message: expect.any(String) });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(errors()).toEqual([]);
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'an upload that the client gives up is no error: %s',
    async (end) => {
      const socket = connect(port, '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(
        `PATCH /api/traders/${traderId} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":`,
      );
      await sleep(200);
      socket[end]();
      await sleep(500);
      expect(errors()).toEqual([]);
      expect(product.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    },
  );
});

describe('slow and silent connections', () => {
  const timeouts = { headersMs: 400, requestMs: 800, keepAliveMs: 300, silenceMs: 1_200, checkEveryMs: 50 };
  const start = async (limits = timeouts) => {
    const app = await createHttpServer({
      log: pino({ level: 'silent' }),
      trustedProxies: 0,
      isSecure: false,
      endStreams: async () => {},
      timeouts: limits,
    });
    app.post('/echo', async () => ({ ok: true }));
    app.get('/never', () => new Promise(() => {}));
    app.get('/slow', async () => {
      await sleep(600);
      return { ok: true };
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as AddressInfo).port };
  };
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.app.close());

  test.each([
    ['says nothing', '', 408],
    ['does not finish its headers', 'GET /echo HTTP/1.1\r\nHost: x\r\n', 408],
    [
      'does not finish its body',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
      408,
    ],
  ])('one that %s is ended', async (_what, bytes, status) => {
    const answer = await sendBytes(server.port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, error: 'request_timeout' });
    expect(answer.ms).toBeLessThan(timeouts.requestMs + 8_000);
  });

  test('one that waits between requests is ended', async () => {
    const answer = await sendBytes(
      server.port,
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(answer.status).toBe(200);
    expect(answer.ms).toBeLessThan(timeouts.silenceMs + 2_500);
  });

  test('one on which nothing moves is ended', async () => {
    const answer = await sendBytes(server.port, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer.text).toBe('');
    expect(answer.ms).toBeLessThan(timeouts.silenceMs + 1_500);
  });

  test('the product ends them as well', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = product.app.server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout]).toEqual([
      10_000, 30_000, 75_000, 150_000,
    ]);
  });

  test('a request that comes while the server closes is carried out, with its headers, on a connection that ends', async () => {
    // Nobody is slow here, however busy the machine is.
    const patient = { headersMs: 30_000, requestMs: 30_000, keepAliveMs: 30_000, silenceMs: 60_000 };
    const closing = await start({ ...timeouts, ...patient });
    // Kept open from before: while the server closes, no new connection comes about.
    const socket = connect(closing.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const slow = fetch(`http://127.0.0.1:${closing.port}/slow`);
    await sleep(100);
    const closed = closing.app.close();
    await sleep(50);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).toMatch(/^connection: close$/m);
    expect(text).toMatch(/^x-request-id: [0-9a-f-]{36}$/m);
    expect(text).toMatch(/^x-content-type-options: nosniff$/im);
    expect((await slow).status).toBe(200);
    await closed;
  });
});
