import { createHmac } from 'node:crypto';
import type { Webhook, WebhookKey } from '@copydesk/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openApi, serveOpenApi } from '../openapi.ts';
import { createHttpServer } from '../server/server.ts';
import { mountWebhooks } from './mount-webhooks.ts';
import { createTimestampedHmac } from './timestamped-hmac.ts';

const URL = '/api/webhooks/payments';
const SECRET = 'whsec_0123456789abcdef';
const NEXT_SECRET = 'whsec_fedcba9876543210';
const CANARY = 'canary-in-the-body';
const TOLERANCE_S = 300;

const WEBHOOKS = {
  'POST /api/webhooks/payments': {
    summary: 'An event of the payment service',
    signature: { scheme: 'HMAC SHA-256 of time and body', header: 'payments-signature', secret: 'PAYMENTS' },
    toleranceSeconds: TOLERANCE_S,
    maxBodyBytes: 2_000,
    perMinute: 30,
    event: z.looseObject({ id: z.string(), amount: z.string() }),
    answer: z.object({ success: z.literal(true), repeated: z.boolean() }),
    errors: [],
  },
} as const satisfies Record<WebhookKey, Webhook>;

const now = new Date('2026-03-04T05:06:07Z');
const nowS = now.getTime() / 1000;
const logged: string[] = [];
const handled: { id: string; amount: string }[] = [];
let app: Awaited<ReturnType<typeof createHttpServer>>;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  app = await createHttpServer({ log, trustedProxies: 0, isSecure: false, endStreams: async () => {} });
  await app.register(openApi);
  await mountWebhooks(app, WEBHOOKS, {
    handlers: {
      'POST /api/webhooks/payments': async ({ event }) => {
        const repeated = handled.some(({ id }) => id === event.id);
        if (!repeated) handled.push(event);
        return { success: true as const, repeated };
      },
    },
    verifiers: {
      'POST /api/webhooks/payments': createTimestampedHmac({
        header: 'payments-signature',
        secrets: [SECRET, NEXT_SECRET],
      }),
    },
    now: () => now,
  });
  await serveOpenApi(app);
  await app.ready();
});
afterAll(() => app.close());
beforeEach(() => {
  handled.length = 0;
  logged.length = 0;
});

const BODY = JSON.stringify({ id: 'evt_1', amount: '12.50', note: CANARY });
const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');
const signed = (body: string, time: number | string = nowS, secret = SECRET) =>
  `t=${time},v1=${hmac(`${time}.${body}`, secret)}`;

let addresses = 0;
/** From an address of its own, unless given, so that the rate of one test does not count for another. */
async function send(
  payload: string | Buffer,
  headers: Record<string, string>,
  remoteAddress = `10.1.0.${++addresses}`,
) {
  const type = { 'content-type': 'application/json' };
  return app.inject({ method: 'POST', url: URL, payload, remoteAddress, headers: { ...type, ...headers } });
}
const signature = (value: string) => ({ 'payments-signature': value });

test('a genuine event is handled, byte by byte as it was signed', async () => {
  // Parsed and written again, this text would be another one.
  const body = `{ "id":"evt_1",\n "amount" : "12.50", "new_field": 1.0, "id":"evt_2" }`;
  const answer = await send(body, signature(signed(body)));
  expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, repeated: false }]);
  expect(handled).toEqual([{ id: 'evt_2', amount: '12.50', new_field: 1 }]);
});

test('while secrets are replaced, either is valid, and so is one of two signatures', async () => {
  expect((await send(BODY, signature(signed(BODY, nowS, NEXT_SECRET)))).statusCode).toBe(200);
  const two = `t=${nowS}, v1=${'0'.repeat(64)}, v1=${hmac(`${nowS}.${BODY}`)}, v0=ignored`;
  expect((await send(BODY, signature(two))).statusCode).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['no signature', {}],
  ['an empty one', signature('')],
  ['that of another body', signature(signed(`${BODY} `))],
  ['that of another secret', signature(signed(BODY, nowS, 'another secret'))],
  ['that of the body without its time', signature(`t=${nowS},v1=${hmac(BODY)}`)],
  ['another time than the signed one', signature(signed(BODY).replace(`t=${nowS}`, `t=${nowS - 1}`))],
  ['two times', signature(`${signed(BODY)},t=${nowS - 9}`)],
  ['no time', signature(`v1=${hmac(`.${BODY}`)}`)],
  ['a time that is no number', signature(signed(BODY, 'now'))],
  ['a shorter signature', signature(signed(BODY).slice(0, -2))],
  ['a longer one', signature(`${signed(BODY)}00`)],
  ['a scheme of an earlier version', signature(signed(BODY).replace('v1=', 'v0='))],
  ['a bearer instead', { authorization: 'Bearer token' }],
])('%s is refused', async (_what, headers) => {
  const answer = await send(BODY, headers);
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_signature']);
  expect(handled).toEqual([]);
});

test.each([
  ['late', nowS - TOLERANCE_S - 1, 401],
  ['almost late', nowS - TOLERANCE_S, 200],
  ['early', nowS + TOLERANCE_S + 1, 401],
  ['almost early', nowS + TOLERANCE_S, 200],
  ['beyond all time', 999_999_999_999, 401],
])('a genuine event that is %s', async (_what, time, status) => {
  expect((await send(BODY, signature(signed(BODY, time)))).statusCode).toBe(status);
});

test('a replay within the tolerance reaches the handler, which knows the id of the event', async () => {
  const headers = signature(signed(BODY));
  expect((await send(BODY, headers)).json().repeated).toBe(false);
  expect((await send(BODY, headers)).json().repeated).toBe(true);
  expect(handled).toHaveLength(1);
});

test.each<[string, string | Buffer, string, number, string]>([
  ['too large', JSON.stringify({ id: 'x'.repeat(2_000) }), 'application/json', 413, 'payload_too_large'],
  ['of another type', BODY, 'text/plain', 415, 'unsupported_media_type'],
  ['a form', 'id=evt_1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  ['empty', '', 'application/json', 400, 'malformed_body'],
  ['not JSON', '{"id":', 'application/json', 400, 'malformed_body'],
  ['without a field', '{"id":"evt_1"}', 'application/json', 400, 'validation_failed'],
  ['with U+0000', '{"id":"\\u0000","amount":"1"}', 'application/json', 400, 'validation_failed'],
  [
    'too deep',
    `{"id":"1","amount":"1","a":${'['.repeat(99)}${']'.repeat(99)}}`,
    'application/json',
    400,
    'validation_failed',
  ],
])('a body that is %s', async (_what, payload, type, status, error) => {
  const headers = { 'content-type': type, ...signature(signed(String(payload))) };
  const answer = await send(payload, headers);
  expect([answer.statusCode, answer.json()]).toEqual([status, expect.objectContaining({ error })]);
  expect(answer.json()).toMatchObject({ success: false, message: expect.any(String) });
  expect(handled).toEqual([]);
});

test('genuine bytes that are no UTF-8 are refused', async () => {
  const bytes = Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff]), Buffer.from('","amount":"1"}')]);
  const value = createHmac('sha256', SECRET).update(`${nowS}.`).update(bytes).digest('hex');
  const answer = await send(bytes, signature(`t=${nowS},v1=${value}`));
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'malformed_body']);
});

test('guesses count against the rate of their address before their body is read', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 31; guess += 1)
    statuses.push((await send(BODY, signature('t=1,v1=0'), '10.2.0.1')).statusCode);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
  expect(statuses[30]).toBe(429);
  expect((await send('not read', { 'content-type': 'text/plain' }, '10.2.0.1')).statusCode).toBe(429);
  expect((await send(BODY, signature(signed(BODY)), '10.2.0.2')).statusCode).toBe(200);
});

test('the log has the reason of a refusal, and neither body nor signature', async () => {
  const late = signed(BODY, nowS - 1_000);
  await send(BODY, signature(late));
  await send(BODY, signature(signed(`${BODY} `)));
  const strange = JSON.stringify({ id: 1, amount: CANARY });
  await send(strange, signature(signed(strange)));
  const text = logged.join('');
  expect(text).toContain('signed at another time');
  expect(text).toContain('signature not genuine');
  expect(text).toContain('"path":"id"');
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain(late.slice(-64));
});

test('no page of another origin may read an answer', async () => {
  const headers = { origin: 'https://evil.example', ...signature(signed(BODY)) };
  expect(Object.keys((await send(BODY, headers)).headers).join()).not.toContain('access-control');
  const preflight = await app.inject({ method: 'OPTIONS', url: URL, headers });
  expect(preflight.statusCode).toBe(404);
});

test('OpenAPI shows the signature, the event and no bearer', async () => {
  const { paths } = (await app.inject('/api/openapi.json')).json();
  expect(paths[URL].post).toMatchObject({
    security: [],
    'x-signature': { header: 'payments-signature', secret: 'PAYMENTS' },
    parameters: [{ in: 'header', name: 'payments-signature', required: true }],
    requestBody: { content: { 'application/json': { schema: { required: ['id', 'amount'] } } } },
  });
  expect(Object.keys(paths[URL].post.responses).sort()).toEqual(
    ['200', '400', '401', '413', '415', '429', '500', '503'].sort(),
  );
});
