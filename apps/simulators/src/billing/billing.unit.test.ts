import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEMO_PRICES } from '../world/index.ts';
import { periodAfter } from './prices.ts';
import { type RunningBilling, startBilling } from './start-billing.ts';

const KEY = 'sk_test_of_the_unit_test';
const DAY = 86_400;
let clock: number;
let billing: RunningBilling;

beforeEach(async () => {
  clock = Date.UTC(2026, 0, 31, 12);
  billing = await startBilling({
    secretKey: KEY,
    webhookSecret: 'whsec_test',
    prices: Object.values(DEMO_PRICES),
    now: () => clock,
  });
  onTestFinished(() => billing.close());
});

type Answer = Record<string, unknown> & { id: string; error: { type: string; code: string } };
async function call(method: string, path: string, form?: Record<string, string>, headers = {}) {
  const answer = await fetch(`${billing.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...headers },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}
const newCustomer = async () =>
  (await call('POST', '/customers', { name: 'Alpha', 'metadata[community_id]': 'c1' })).body.id;
const newSession = (customer: string, more: Record<string, string> = {}) =>
  call('POST', '/checkout/sessions', {
    customer,
    mode: 'subscription',
    'line_items[0][price]': DEMO_PRICES.monthly.id,
    'line_items[0][quantity]': '1',
    success_url: 'http://127.0.0.1/done',
    'metadata[interval]': 'monthly',
    ...more,
  });
async function subscribe(more: Record<string, string> = {}) {
  const customer = await newCustomer();
  const { body: session } = await newSession(customer, more);
  const page = await fetch(String(session.url), {
    method: 'POST',
    body: new URLSearchParams({ act: 'pay' }),
    redirect: 'manual',
  });
  expect([page.status, page.headers.get('location')]).toEqual([303, 'http://127.0.0.1/done']);
  return customer;
}
const list = async (path: string) =>
  (await call('GET', path)).body as unknown as { data: Answer[]; has_more: boolean };

test('the key is checked, errors have the shape of the vendor, and other paths are none', async () => {
  expect((await call('GET', '/customers/cus_1', undefined, { authorization: 'Bearer x' })).status).toBe(401);
  const missing = await call('GET', '/customers/cus_1');
  expect([missing.status, missing.body.error]).toMatchObject([
    404,
    { type: 'invalid_request_error', code: 'resource_missing' },
  ]);
  expect((await call('GET', '/nothing')).status).toBe(404);
  expect((await fetch(`${billing.url}/favicon.ico`)).status).toBe(404);
});

test('an idempotency key repeats its answer, and refuses other parameters', async () => {
  const headers = { 'idempotency-key': 'a' };
  const first = await call('POST', '/customers', { name: 'Alpha' }, headers);
  expect((await call('POST', '/customers', { name: 'Alpha' }, headers)).body.id).toBe(first.body.id);
  const other = await call('POST', '/customers', { name: 'Beta' }, headers);
  expect([other.status, other.body.error.type]).toEqual([400, 'idempotency_error']);
});

test('lists are pages, newest first', async () => {
  for (let nth = 0; nth < 5; nth += 1) await subscribe();
  const first = await list('/subscriptions?status=all&limit=3');
  expect([first.data.length, first.has_more]).toEqual([3, true]);
  const rest = await list(`/subscriptions?status=all&limit=3&starting_after=${first.data[2]?.id}`);
  expect([rest.data.length, rest.has_more]).toEqual([2, false]);
  expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(5);
});

/** The keys that our gateway and a person at the dashboard would look for, by object. */
const KEYS: Record<string, string[]> = {
  'checkout.session':
    'id object cancel_url client_reference_id created currency customer expires_at livemode metadata mode payment_status status subscription success_url url'.split(
      ' ',
    ),
  customer: 'id object balance created delinquent email invoice_settings livemode metadata name'.split(' '),
  subscription:
    'id object cancel_at cancel_at_period_end canceled_at collection_method created currency customer ended_at items latest_invoice livemode metadata start_date status trial_end trial_start'.split(
      ' ',
    ),
  subscription_item:
    'id object created current_period_end current_period_start price plan quantity subscription'.split(' '),
  price: 'id object active currency livemode product recurring type unit_amount unit_amount_decimal'.split(
    ' ',
  ),
  invoice:
    'id object amount_due amount_paid amount_remaining attempt_count attempted billing_reason created customer lines next_payment_attempt parent period_end period_start status status_transitions total'.split(
      ' ',
    ),
  charge:
    'id object amount amount_refunded captured created currency customer disputed paid refunded status'.split(
      ' ',
    ),
  dispute: 'id object amount charge created currency evidence_details reason status'.split(' '),
};

test('objects have the keys of the vendor', async () => {
  const customer = await subscribe();
  await billing.act('dispute', { customer });
  const [subscription] = (await list(`/subscriptions?customer=${customer}`)).data;
  const [item] = (subscription as unknown as { items: { data: Answer[] } }).items.data;
  const [session] = (await list(`/checkout/sessions?customer=${customer}`)).data;
  const [charge] = (await list(`/charges?customer=${customer}`)).data;
  const objects = [
    session,
    (await call('GET', `/customers/${customer}`)).body,
    subscription,
    item,
    (await call('GET', `/prices/${DEMO_PRICES.yearly.id}`)).body,
    (await list(`/invoices?customer=${customer}`)).data[0],
    charge,
    (await list(`/disputes?charge=${charge?.id}`)).data[0],
  ];
  for (const [name, keys] of Object.entries(KEYS)) {
    const found = objects.find((object) => object?.object === name);
    expect(Object.keys(found ?? {}), name).toEqual(expect.arrayContaining(keys));
  }
  expect(item).toMatchObject({
    current_period_start: clock / 1_000,
    current_period_end: Date.UTC(2026, 1, 28, 12) / 1_000,
  });
});

test('periods end on the last day of short months', () => {
  const from = (iso: string) => Date.parse(iso) / 1_000;
  expect(periodAfter(from('2026-01-31T12:00:00Z'), DEMO_PRICES.monthly)).toBe(from('2026-02-28T12:00:00Z'));
  expect(periodAfter(from('2028-02-29T00:00:00Z'), DEMO_PRICES.yearly)).toBe(from('2029-02-28T00:00:00Z'));
});

test('a declined card leaves the page open, and an expired page cannot be paid', async () => {
  const customer = await newCustomer();
  const { body: session } = await newSession(customer);
  const act = (name: string) =>
    fetch(String(session.url), {
      method: 'POST',
      body: new URLSearchParams({ act: name }),
      redirect: 'manual',
    });
  expect(await (await act('decline')).text()).toContain('role="alert"');
  await call('POST', `/checkout/sessions/${session.id}/expire`, {});
  expect((await act('pay')).status).toBe(200);
  expect((await list(`/subscriptions?customer=${customer}`)).data).toEqual([]);
});

test('a moved clock brings the end of the trial, renewals, failures and the end', async () => {
  billing.webhooks.hold();
  const customer = await subscribe({ 'subscription_data[trial_period_days]': '10' });
  const status = async () => (await list(`/subscriptions?status=all&customer=${customer}`)).data[0]?.status;
  expect(await status()).toBe('trialing');
  await billing.act('move_clock', { seconds: 10 * DAY });
  expect(await status()).toBe('active');
  await billing.act('card_declines', { customer });
  await billing.act('move_clock', { seconds: 31 * DAY });
  expect(await status()).toBe('past_due');
  const [unpaid] = (await list(`/invoices?customer=${customer}&status=open`)).data;
  expect(unpaid?.attempt_count).toBeGreaterThan(0);
  await billing.act('move_clock', { seconds: 15 * DAY });
  expect(await status()).toBe('canceled');
  expect(billing.webhooks.waiting().map(({ type }) => type)).toEqual([
    'customer.subscription.created',
    'checkout.session.completed',
    'customer.subscription.trial_will_end',
    'customer.subscription.updated',
    'invoice.paid',
    'customer.subscription.updated',
    'invoice.payment_failed',
    'customer.subscription.updated',
    'invoice.payment_failed',
    'invoice.payment_failed',
    'invoice.payment_failed',
    'invoice.payment_failed',
    'customer.subscription.deleted',
  ]);
});

test('webhooks are signed, and sent again until they are answered', async () => {
  const received: boolean[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [, time, given] = /^t=(\d+),v1=(\w+)$/.exec(String(request.headers['stripe-signature'])) ?? [];
    received.push(createHmac('sha256', 'whsec_test').update(`${time}.${body}`).digest('hex') === given);
    response.writeHead(received.length === 1 ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  billing.webhooks.sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await subscribe();
  await billing.webhooks.drained();
  expect(received).toEqual([true, true, true, true]);
  await billing.act('forge_webhook');
  expect(received.at(-1)).toBe(false);
});
