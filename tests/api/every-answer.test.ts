import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBytes } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let product: TestApp;
let port: number;
let token: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  port = (product.app.server.address() as AddressInfo).port;
  token = await product.signIn('super');
});
afterAll(() => product.close());

const request = (line: string, more = '') =>
  sendBytes(port, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`);

describe('the security headers and a request id are on', () => {
  test.each([
    ['a call', 'GET /api/health', '', 200],
    ['a refusal', 'GET /api/me', '', 401],
    ['an unknown call', 'GET /api/nothing', '', 404],
    ['an unknown path', 'POST /x', 'Content-Length: 0\r\n', 404],
    ['a method without a call', 'PUT /api/health', 'Content-Length: 0\r\n', 404],
    ['OPTIONS', 'OPTIONS /api/traders', '', 404],
    ['HEAD', 'HEAD /api/health', '', 200],
    ['the documentation', 'GET /api/docs', '', 200],
    ['the documentation with a slash', 'GET /api/docs/', '', 200],
    ['a script of it', 'GET /api/docs/start.js', '', 200],
    ['a file that it does not have', 'GET /api/docs/constructor', '', 404],
    ['a path out of it', 'GET /api/docs/%2e%2e/x', '', 404],
    ['the document', 'GET /api/openapi.json', '', 200],
    ['a path that does not decode', 'GET /api/traders/%E0%A4%A', '', 400],
    ['a request that is none', 'GET /api/health x', '', 400],
  ])('%s', async (_what, line, more, status) => {
    const { headers, json, ...answer } = await request(line, more);
    expect(answer.status).toBe(status);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toMatch(/DENY|SAMEORIGIN/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['content-security-policy']).toContain('default-src');
    expect(headers['content-security-policy']).not.toContain('unsafe');
    if (status >= 400) expect(json()).toMatchObject({ success: false, error: expect.any(String) });
  });

  test('a stream of events', async () => {
    const leaving = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
      headers: { authorization: token },
      signal: leaving.signal,
    });
    leaving.abort();
    expect(answer.headers.get('permissions-policy')).toContain('camera=()');
    expect(answer.headers.get('content-security-policy')).toContain('default-src');
  });
});

test('HEAD of the stream answers with its headers, ends, and takes no seat', async () => {
  for (let n = 0; n < 10; n++) {
    const { status, headers } = await request('HEAD /api/events', `Authorization: ${token}\r\n`);
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  }
  expect((await request('HEAD /api/events')).status).toBe(401);
});

test('the documentation has no script in its page, and its styles carry the nonce of this answer', async () => {
  const [one, other] = await Promise.all([product.app.inject('/api/docs'), product.app.inject('/api/docs')]);
  const nonceOf = ({ body }: typeof one) => /csp-nonce" content="([^"]+)"/.exec(body)?.[1];
  expect(nonceOf(one)).not.toBe(nonceOf(other));
  expect(one.headers['content-security-policy']).toContain(`'nonce-${nonceOf(one)}'`);
  const scripts = one.body.match(/<script[^>]*>[^<]*/g) ?? [];
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(script).toMatch(/^<script src="\/api\/docs\/\w+\.js">$/);
  const start = await product.app.inject('/api/docs/start.js');
  expect(start.body).toContain('"url": "/api/openapi.json"');
  expect(start.headers['content-type']).toContain('text/javascript');
});
