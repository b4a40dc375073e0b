import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isLong } from '../../../../../tests/support/long-test.ts';
import { playBillingStorm } from '../../../../../tests/support/world/billing-storm.ts';
import {
  type BillingWorld,
  createBillingWorld,
  DAY,
  NEXT_WEBHOOK_SECRET,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from '../../../../../tests/support/world/billing-world.ts';
import { syncCustomer } from './sync-customer.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await createBillingWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.billing.fail(500, 0));

const act = async (name: string, customer: string) => {
  await world.billing.act(name, { customer });
  await world.work();
};
const jobsOf = (customer: string) =>
  world.owner<{ state: string; problem: string | null; retry_count: number }>(
    `SELECT state::text, output ->> 'message' AS problem, retry_count FROM pgboss.job
     WHERE name = 'stripe-sync' AND singleton_key = 'customer:' || $1 ORDER BY created_on`,
    [customer],
  );

test('a payment that fails opens the grace period, and one that succeeds ends it', async () => {
  const { id, customer } = await world.subscribe();
  await act('card_declines', customer);
  await world.advance(31);
  const failed = await world.subscriptionOf(id);
  expect(failed).toMatchObject({ status: 'past_due', is_active: true, grace_until: expect.any(String) });
  expect(Date.parse(failed.grace_until) - Date.parse(failed.unpaid_since)).toBe(7 * DAY * 1_000);
  await world.advance(7);
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'lapsed', is_active: false, allows: [] });
  await act('card_works', customer);
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', grace_until: null });
  await act('card_declines', customer);
  await world.advance(50);
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'canceled', is_active: false });
});

test('a renewal moves the period, and a cancellation ends it', async () => {
  const { id, customer } = await world.subscribe();
  const before = await world.subscriptionOf(id);
  await world.advance(32);
  const renewed = await world.subscriptionOf(id);
  expect(renewed.status).toBe('active');
  expect(renewed.current_period_end > before.current_period_end).toBe(true);
  await act('cancel', customer);
  await world.advance(32);
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'canceled', allows: [] });
});

test('a refund and a dispute are shown, and close nothing', async () => {
  const { id, customer } = await world.subscribe();
  const notice = async () => {
    const { payment_notice, is_active } = await world.subscriptionOf(id);
    return [payment_notice, is_active];
  };
  await act('dispute', customer);
  expect(await notice()).toEqual(['disputed', true]);
  await act('win_dispute', customer);
  expect(await notice()).toEqual([null, true]);
  await act('dispute', customer);
  await act('lose_dispute', customer);
  expect(await notice()).toEqual(['dispute_lost', true]);
  await world.advance(32);
  expect(await notice()).toEqual([null, true]);
  await act('refund', customer);
  expect(await notice()).toEqual(['refunded', true]);
});

test('a trial is one, ends in a payment, and two subscriptions at once are noticed', async () => {
  const id = await world.newCommunity();
  await world.checkout(id);
  const customer = await world.customerOf(id);
  const { state } = world.billing.account;
  const session = Object.values(state.sessions).find((one) => one.customer === customer);
  if (session) session.trialDays = 10;
  world.billing.pay(customer);
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'trialing', trial_end: expect.any(String) });
  await world.advance(11);
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', has_duplicate: false });
  const [own] = Object.values(state.subscriptions).filter((one) => one.customer === customer);
  if (own) state.subscriptions.sub_second = { ...own, id: 'sub_second', created: own.created + 1 };
  await syncCustomer(world.deps, customer);
  expect(await world.subscriptionOf(id)).toMatchObject({ has_duplicate: true });
  delete state.subscriptions.sub_second;
  await syncCustomer(world.deps, customer);
});

const body = (given: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    created: 1_800_000_000,
    data: { object: { id: 'in_1', object: 'invoice', customer: 'cus_unknown' } },
    ...given,
  });
const post = (payload: string, headers: Record<string, string>) =>
  world.product.app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
const signature = (payload: string, secret: string, ageSeconds = 0) => {
  const time = Math.floor(world.now().getTime() / 1_000) - ageSeconds;
  const hash = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
  return { 'stripe-signature': `t=${time},v1=${hash}` };
};

test('forged and stale signatures are refused, and both secrets of a rotation are taken', async () => {
  const statuses = async (payload: string) => [
    (await post(payload, {})).statusCode,
    (await post(payload, signature(payload, 'whsec_of_another_endpoint'))).statusCode,
    (await post(payload, signature(`${payload} `, WEBHOOK_SECRET))).statusCode,
    (await post(payload, signature(payload, WEBHOOK_SECRET, 301))).statusCode,
    (await post(payload, signature(payload, WEBHOOK_SECRET, -301))).statusCode,
  ];
  expect(await statuses(body({ id: 'evt_refused' }))).toEqual([401, 401, 401, 401, 401]);
  await world.billing.act('forge_webhook');
  expect(await jobsOf('cus_unknown')).toEqual([]);
  for (const [id, secret] of [
    ['evt_first', WEBHOOK_SECRET],
    ['evt_next', NEXT_WEBHOOK_SECRET],
  ] as const) {
    const payload = body({ id });
    const taken = await post(payload, signature(payload, secret));
    expect([taken.statusCode, taken.json()]).toEqual([200, { success: true }]);
  }
  expect(await jobsOf('cus_unknown')).toMatchObject([{ state: 'created' }]);
});

test('unknown types are acknowledged and order nothing, and a customer of others changes nothing', async () => {
  const count = async () => (await world.owner("SELECT FROM pgboss.job WHERE name = 'stripe-sync'")).length;
  const before = await count();
  for (const type of ['payout.paid', 'constructor', 'x']) {
    const strange = body({ id: 'evt_strange', type });
    expect((await post(strange, signature(strange, WEBHOOK_SECRET))).statusCode).toBe(200);
  }
  expect(await count()).toBe(before);
  const { account } = world.billing;
  account.state.customers.cus_others = {
    id: 'cus_others',
    name: 'Others',
    metadata: { community_id: '00000000-0000-4000-8000-000000000000' },
    created: 1,
    card: 'works',
  };
  for (const customer of ['cus_others', 'cus_never_was']) {
    const foreign = body({ data: { object: { id: 'in_9', object: 'invoice', customer } } });
    await post(foreign, signature(foreign, WEBHOOK_SECRET));
  }
  await world.work();
  expect([await jobsOf('cus_others'), await jobsOf('cus_never_was')]).toMatchObject([
    [{ state: 'completed' }],
    [{ state: 'completed' }],
  ]);
  expect(world.product.logged.join('')).toContain('that the payment service does not have');
});

test('an event waits while the payment service fails', async () => {
  const { id, customer } = await world.subscribe();
  world.billing.fail(500, 100);
  await world.billing.act('cancel', { customer });
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ cancel_at_period_end: false });
  expect((await jobsOf(customer)).at(-1)).toMatchObject({ state: 'retry', problem: 'unavailable' });
  world.billing.fail(500, 0);
  await world.advance(1);
  expect(await world.subscriptionOf(id)).toMatchObject({ cancel_at_period_end: true });
});

test('a read that began earlier never replaces a later one', async () => {
  const { id, customer } = await world.subscribe();
  const { billing } = world.deps;
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const late = syncCustomer(
    {
      ...world.deps,
      billing: {
        ...billing,
        async readCustomer(one) {
          const read = await billing.readCustomer(one);
          begun.resolve();
          await slow.promise;
          return read;
        },
      },
    },
    customer,
  );
  await begun.promise;
  await act('cancel', customer);
  expect(await world.subscriptionOf(id)).toMatchObject({ cancel_at_period_end: true });
  slow.resolve();
  expect(await late).toBe('unchanged');
  expect(await world.subscriptionOf(id)).toMatchObject({ cancel_at_period_end: true });
});

test('lost webhooks are mended by the comparison, with an audit entry each, and then it finds nothing', async () => {
  await world.compare();
  const one = await world.subscribe();
  const other = await world.subscribe('yearly');
  const crashed = await world.newCommunity();
  await world.checkout(crashed);
  const { state } = world.billing.account;
  world.billing.webhooks.hold();
  await world.billing.act('cancel', { customer: one.customer });
  await world.billing.act('cancel_now', { customer: other.customer });
  const customer = await world.customerOf(crashed);
  world.billing.pay(customer);
  expect(world.billing.webhooks.lose()).toBeGreaterThan(3);
  // A crash came before its row, and only its own data name the community.
  await world.owner('DELETE FROM billing_customer WHERE customer_id = $1', [customer]);
  expect(state.customers[customer]?.metadata.community_id).toBe(crashed);

  expect(await world.compare()).toBe(3);
  expect(await world.subscriptionOf(one.id)).toMatchObject({ cancel_at_period_end: true });
  expect(await world.subscriptionOf(other.id)).toMatchObject({ status: 'canceled' });
  expect(await world.subscriptionOf(crashed)).toMatchObject({ status: 'active', has_customer: true });
  expect(
    await world.owner(
      "SELECT actor_name FROM audit_entry WHERE action = 'subscription.corrected' AND target_id = ANY ($1)",
      [[one.id, other.id, crashed]],
    ),
  ).toEqual(Array(3).fill({ actor_name: 'worker' }));
  expect(await world.compare()).toBe(0);
});

/** `npm run chaos -- webhooks` has the same with 10,000. */
const EVENTS = isLong ? 1_000 : 200;

test(`${EVENTS} events in any order, with doubles and delays, end in what the payment service says`, async () => {
  const [seed = 0] = fc.sample(fc.integer(), 1);
  const { statuses, late, mended, stored, pairs } = await playBillingStorm(world, { count: EVENTS, seed });
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(late).toBeGreaterThan(EVENTS / 20);
  // What was not delivered was mended by the comparison, over days that passed, and its late arrival changes nothing.
  expect(stored, `seed ${seed}`).toEqual(mended);
  for (const pair of pairs) expect(pair.stored, `seed ${seed}`).toEqual(pair.said);
  expect(
    await world.owner("SELECT FROM pgboss.job WHERE name = 'stripe-sync' AND state <> 'completed'"),
  ).toEqual([]);
  expect(await world.compare()).toBe(0);
}, 900_000);

test('neither the key nor a secret is in a log, an audit entry or a row', async () => {
  const text = [
    ...world.product.logged,
    JSON.stringify(await world.owner('SELECT * FROM audit_entry')),
    JSON.stringify(await world.owner('SELECT * FROM pgboss.job')),
    JSON.stringify(await world.owner('SELECT * FROM idempotent_call')),
  ].join('\n');
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, NEXT_WEBHOOK_SECRET]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(0, 20));
  }
  expect(text).toContain('subscription.changed');
});
