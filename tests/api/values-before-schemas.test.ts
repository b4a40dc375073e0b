import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// Kinds of input that once reached code or the database before a schema had refused them.
let product: TestApp;
let token: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  token = await product.signIn('super');
});
afterAll(() => product.close());
beforeEach(() => {
  product.logged.length = 0;
});
const errors = () => product.logged.filter((line) => JSON.parse(line).level >= 50);

const ID = '00000000-0000-4000-8000-00000000dead';
const NO_TEXT = { toString: 1 };
/** As many digits as JSON takes, written as they are sent. */
const raw = (json: string) =>
  product.app.inject({
    method: 'POST',
    url: `/api/pooled-accounts/${ID}/harvest`,
    headers: { authorization: token, 'content-type': 'application/json' },
    payload: json,
  });

test.each([
  ['POST /api/demo/sign-in', { persona: NO_TEXT }],
  ['POST /api/communities/{id}/checkout', { interval: NO_TEXT }],
  ['POST /api/service-tokens', { name: 'A', scopes: [NO_TEXT], provider_ids: [ID] }],
  ['POST /api/pooled-accounts/{id}/withdrawals', { member_id: ID, amount: NO_TEXT }],
  [
    'PUT /api/platform-settings',
    { set: { vip_tiers: [{ name: 'A', min_aum: NO_TEXT }, NO_TEXT] }, version: 0 },
  ],
  ['PUT /api/platform-settings', { set: { vip_tiers: [{ name: 'A', min_aum: '1e9' }] }, version: 0 }],
  ['PUT /api/platform-settings', { set: { invoice_due_days: 3 }, version: 2 ** 31 }],
  ['POST /api/exchange-bot/{id}/coupons', { code: 'ABC', percent: 5, ends_at: '0000-01-01T00:00:00Z' }],
  ['POST /api/users/invitations', { email: 'a@b.example', super: true, admin: false }],
  ['PATCH /api/users/{id}', { super: true, disabled: true }],
  ['PATCH /api/users/{id}', { super: true, admin: false }],
])('%s refuses %j', async (call, body) => {
  const answer = await send(product.app, call, { params: { id: ID }, body }, token);
  expect([answer.statusCode, answer.json().error], answer.body).toEqual([400, 'validation_failed']);
  expect(errors()).toEqual([]);
});

test.each([
  ['/api/audit?to=0000-01-01', 400],
  ['/api/audit/refusals/counts?from=0000-01-01', 400],
  ['/api/audit/refusals?from=%2B275760-09-13', 400],
  ['/api/traders?limit=9007199254740993', 400],
  ['/api/traders?limit=1&limit=2', 400],
  ['/api/traders?__proto__[limit]=1', 400],
])('%s is a %i', async (url, status) => {
  const answer = await product.app.inject({ url, headers: { authorization: token } });
  expect([answer.statusCode, answer.json().success], answer.body).toEqual([status, false]);
  expect(errors()).toEqual([]);
});

test.each(['9007199254740993', '2147483648', '1e999', '-1e999', `1${'0'.repeat(400)}`, '"5"', '1.5'])(
  'no version of a row is %.20s',
  async (version) => {
    const answer = await raw(`{"action":"start","version":${version}}`);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'validation_failed']);
    expect(errors()).toEqual([]);
  },
);

test('a disabled person may become a super admin, and confirmation is still to come', async () => {
  const invited = await send(
    product.app,
    'POST /api/users/invitations',
    { body: { email: `zz&co-${crypto.randomUUID()}@bücher.example` } },
    token,
  );
  const { id } = invited.json().data;
  const change = (body: object) =>
    send(product.app, 'PATCH /api/users/{id}', { params: { id }, body }, token);
  expect((await change({ disabled: true })).statusCode).toBe(200);
  const { version } = (await send(product.app, 'GET /api/users/{id}', { params: { id } }, token)).json().data;
  const promoted = await change({ super: true, version });
  expect([promoted.statusCode, promoted.json().data], promoted.body).toMatchObject([
    200,
    { super: true, disabled: true, confirmed: false },
  ]);
  expect(promoted.json().data.email).toMatch(/^zz&co-.*@xn--bcher-kva\.example$/);
  expect(errors()).toEqual([]);
});

test('one person per address, however its domain is written', async () => {
  const name = crypto.randomUUID();
  const invite = (email: string) =>
    send(product.app, 'POST /api/waitlist', { body: { email, name: 'Ada' } }).then(
      ({ statusCode }) => statusCode,
    );
  expect(await invite(`${name}@XN--E1AFMKFD.xn--p1ai`)).toBeLessThan(300);
  const { data } = (await send(product.app, 'GET /api/waitlist', {}, token)).json();
  expect(data.map(({ email }: { email: string }) => email)).toContain(`${name}@xn--e1afmkfd.xn--p1ai`);
  expect(await invite(`\u2066${name}@пример.рф\u2069`)).toBeLessThan(300);
  const again = (await send(product.app, 'GET /api/waitlist', {}, token)).json();
  expect(again.data.filter(({ email }: { email: string }) => email.startsWith(name))).toHaveLength(1);
});
