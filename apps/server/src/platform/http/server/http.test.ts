import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
let token: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02, env: { RATE_LIMIT_PER_MINUTE: '60' } });
  token = await product.signIn('staff-multi');
});
afterAll(() => product.close());

test('every answer carries a request id and strict security headers', async () => {
  const answer = await product.app.inject('/api/health');
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['cache-control']).toBe('no-store');
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*/);
});

test('a request id of the client is not taken over', async () => {
  const answer = await product.app.inject({ url: '/api/health', headers: { 'x-request-id': 'mine' } });
  expect(answer.headers['x-request-id']).not.toBe('mine');
});

test.each([
  ['{"persona":', 'application/json', 400, 'malformed_body'],
  ['', 'application/json', 400, 'validation_failed'],
  [' ', 'application/json', 400, 'malformed_body'],
  ['persona=super', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  [JSON.stringify({ persona: 'x'.repeat(200_000) }), 'application/json', 413, 'payload_too_large'],
  ['[]', 'application/json', 400, 'validation_failed'],
  ['{"persona":"root"}', 'application/json', 400, 'validation_failed'],
  ['{}', 'application/json', 400, 'validation_failed'],
])('a body %.20s of %s is %i %s', async (payload, type, status, error) => {
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/demo/sign-in',
    payload,
    headers: { 'content-type': type },
  });
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.json()).toMatchObject({ success: false, error });
});

test('the wording of validation is that of the catalogue', async () => {
  const answer = await product.app.inject({ method: 'POST', url: '/api/demo/sign-in', payload: {} });
  expect(answer.json().details).toEqual([{ path: 'persona', message: 'Required' }]);
  const wrong = await product.app.inject({
    method: 'POST',
    url: '/api/setup',
    payload: { token: 5, email: 'a@b.example', name: 'A', password: 'long-enough-password' },
  });
  expect(wrong.json().details).toEqual([{ path: 'token', message: 'Expected string, received number' }]);
});

test('an unknown path below /api is a 404 in the envelope; any other is the console', async () => {
  const missing = await product.app.inject('/api/nothing');
  expect(missing.statusCode).toBe(404);
  expect(missing.json()).toEqual({ success: false, error: 'not_found', message: 'Not found' });
  expect((await product.app.inject({ method: 'POST', url: '/trader/x' })).statusCode).toBe(404);
});

test('cookies are no credentials for the API', async () => {
  const signedIn = await product.app.inject({
    method: 'POST',
    url: '/api/demo/sign-in',
    payload: { persona: 'super' },
  });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  expect(cookie).toContain('session');
  const answer = await product.app.inject({ url: '/api/me', headers: { cookie } });
  expect(answer.json()).toMatchObject({ error: 'missing_token' });
});

test('logs hold no token, no cookie and no password', async () => {
  await send(product.app, 'GET /api/me', {}, token);
  await product.app.inject({
    method: 'POST',
    url: '/api/setup',
    payload: { token: 'canary-token', email: 'a@b.example', name: 'A', password: 'canary-password-1' },
  });
  const log = product.logged.join('');
  expect(log).toContain('"route":"/api/me"');
  expect(log).not.toContain(token.split('.')[2]);
  expect(log).not.toMatch(/canary/);
});

test('a caller is held to its rate, and others are not', async () => {
  const other = await product.signIn('staff');
  const statuses: number[] = [];
  for (let n = 0; n < 80; n++) statuses.push((await send(product.app, 'GET /api/me', {}, token)).statusCode);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
  expect(statuses.slice(0, 40).every((status) => status === 200)).toBe(true);
  const limited = await send(product.app, 'GET /api/me', {}, token);
  expect(limited.json()).toMatchObject({ success: false, error: 'rate_limited' });
  expect((await send(product.app, 'GET /api/me', {}, other)).statusCode).toBe(200);
});

test('guessing tokens is limited by address', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 80; n++)
    statuses.push((await send(product.app, 'GET /api/me', {}, `Bearer guess.${n}.x`)).statusCode);
  expect(statuses).toContain(401);
  expect(statuses.at(-1)).toBe(429);
});
