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

/**
 * All keys of each object by the type of their values, from the fixtures of the vendor's published API description. A
 * question mark: or null. Keys under `null` are always null for what we ask of the vendor.
 */
const SHAPES: Record<string, Partial<Record<string, string>>> = {
  'checkout.session': {
    string:
      'cancel_url? currency? customer? id mode object payment_intent? payment_method_collection? payment_status status subscription? success_url ui_mode? url?',
    number: 'amount_subtotal? amount_total? created expires_at',
    boolean: 'livemode',
    object:
      'adaptive_pricing after_expiration? automatic_tax collected_information? consent? consent_collection? currency_conversion? custom_text customer_details? invoice_creation? managed_payments metadata payment_method_configuration_details? payment_method_options permissions? phone_number_collection saved_payment_method_options? shipping_address_collection? shipping_cost? total_details wallet_options?',
    array: 'custom_fields discounts? payment_method_types shipping_options',
    null: 'allow_promotion_codes billing_address_collection client_reference_id client_secret customer_account customer_creation customer_email integration_identifier invoice locale origin_context payment_link recovered_from setup_intent submit_type',
  },
  customer: {
    string: 'currency id invoice_prefix name? object tax_exempt',
    number: 'balance created next_invoice_sequence',
    boolean: 'delinquent livemode',
    object: 'address? discount? invoice_settings metadata shipping?',
    array: 'preferred_locales',
    null: 'default_source description email phone test_clock',
  },
  subscription: {
    string: 'collection_method currency customer id latest_invoice? object status',
    number:
      'billing_cycle_anchor cancel_at? canceled_at? created ended_at? next_pending_invoice_item_invoice? start_date trial_end? trial_start?',
    boolean: 'cancel_at_period_end livemode',
    object:
      'automatic_tax billing_cycle_anchor_config? billing_mode billing_thresholds? cancellation_details invoice_settings items managed_payments metadata pause_collection? payment_settings pending_invoice_item_interval? pending_update? transfer_data? trial_settings',
    array: 'billing_schedules default_tax_rates discounts',
    null: 'application application_fee_percent customer_account days_until_due default_payment_method default_source description on_behalf_of pending_setup_intent schedule test_clock',
  },
  subscription_item: {
    string: 'id object subscription',
    number: 'created current_period_end current_period_start quantity',
    object: 'billing_thresholds? metadata plan price',
    array: 'discounts tax_rates',
  },
  price: {
    string: 'billing_scheme currency id object product tax_behavior type unit_amount_decimal',
    number: 'created unit_amount',
    boolean: 'active livemode',
    object: 'custom_unit_amount? metadata recurring transform_quantity?',
    null: 'lookup_key nickname tiers_mode',
  },
  invoice: {
    string:
      'account_country billing_reason collection_method currency customer customer_tax_exempt hosted_invoice_url id object status',
    number:
      'amount_due amount_overpaid amount_paid amount_remaining amount_shipping attempt_count created due_date? effective_at ending_balance? next_payment_attempt? period_end period_start post_payment_credit_notes_amount pre_payment_credit_notes_amount starting_balance subtotal subtotal_excluding_tax total total_excluding_tax webhooks_delivered_at?',
    boolean: 'attempted auto_advance livemode',
    object:
      'automatic_tax customer_address? customer_shipping? from_invoice? issuer last_finalization_error? lines metadata parent payment_settings rendering? shipping_cost? shipping_details? status_transitions',
    array:
      'customer_tax_ids default_tax_rates discounts total_discount_amounts total_pretax_credit_amounts? total_taxes?',
    null: 'account_name account_tax_ids application automatically_finalizes_at custom_fields customer_account customer_email customer_name customer_phone default_payment_method default_source description footer invoice_pdf latest_revision number on_behalf_of receipt_number statement_descriptor subscription test_clock',
  },
  charge: {
    string: 'balance_transaction currency customer? description id object payment_method receipt_url? status',
    number: 'amount amount_captured amount_refunded created',
    boolean: 'captured disputed livemode paid refunded',
    object:
      'billing_details fraud_details metadata outcome payment_method_details? refunds shipping? source? transfer_data?',
    null: 'application application_fee application_fee_amount calculated_statement_descriptor failure_balance_transaction failure_code failure_message on_behalf_of payment_intent receipt_email receipt_number review source_transfer statement_descriptor statement_descriptor_suffix transfer_group',
  },
  dispute: {
    string: 'charge currency id object reason status',
    number: 'amount created',
    boolean: 'is_charge_refundable livemode',
    object: 'evidence evidence_details metadata payment_method_details',
    array: 'balance_transactions enhanced_eligibility_types',
    null: 'payment_intent',
  },
  'billing_portal.session': {
    string: 'configuration customer id object return_url url',
    number: 'created',
    boolean: 'livemode',
    object: 'flow?',
    null: 'customer_account locale on_behalf_of',
  },
  event: {
    string: 'api_version id object type',
    number: 'created pending_webhooks',
    boolean: 'livemode',
    object: 'data request',
  },
};

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** The keys of an object by type, as in `SHAPES`: a null is of the type that may be null. */
function shapeOf(object: Record<string, unknown>, shape: Partial<Record<string, string>>) {
  const found: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const nullable = Object.entries(shape).find(([, keys]) => keys?.split(' ').includes(`${key}?`))?.[0];
    const type = value === null && nullable ? nullable : typeOf(value);
    found[type] = [...(found[type] ?? []), nullable ? `${key}?` : key];
  }
  return Object.fromEntries(Object.entries(found).map(([type, keys]) => [type, keys.join(' ')]));
}

test('objects have the keys of the vendor, with values of its types', async () => {
  billing.webhooks.hold();
  const customer = await subscribe();
  const event: Answer = JSON.parse(billing.webhooks.waiting()[0]?.body ?? '{}');
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
    (await call('POST', '/billing_portal/sessions', { customer, return_url: 'http://127.0.0.1/' })).body,
    event,
  ];
  for (const [name, shape] of Object.entries(SHAPES)) {
    const found = objects.find((object) => object?.object === name);
    expect(shapeOf(found ?? {}, shape), name).toEqual(shape);
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
