import type { CallAnswer } from '@copydesk/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp } from '../../../../../tests/support/test-app.ts';
import { until } from '../../../../../tests/support/until.ts';
import {
  type BillingWorld,
  createBillingWorld,
  SECRET_KEY,
} from '../../../../../tests/support/world/billing-world.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { customerOf } from './checkout.service.ts';
import { endArchivedSubscriptions } from './end-archived.job.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await createBillingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.billing.fail(500, 0);
  // A test that failed may have held them: it is the only one that says so.
  await world.billing.webhooks.release();
});

const auditsOf = (id: string) =>
  world.owner<{ action: string; actor_name: string; after: Record<string, unknown> }>(
    'SELECT action, actor_name, after FROM audit_entry WHERE target_id = $1 ORDER BY seq',
    [id],
  );
const portal = (id: string) => world.as('POST /api/communities/{id}/customer-portal', world.at(id));

test('the demo world has what its payment service says: the comparison finds nothing', async () => {
  const [{ count } = { count: 0 }] = await world.owner<{ count: number }>(
    'SELECT count(*)::int AS count FROM community_subscription WHERE subscription_id IS NOT NULL',
  );
  expect(count).toBe(9);
  expect(await world.compare()).toBe(0);
  expect(world.product.logged.join('')).not.toMatch(/unknown to the payment service|belongs to no community/);
});

test('a community subscribes, and is active once the payment service says so', async () => {
  const id = await world.newCommunity();
  expect(await world.subscriptionOf(id)).toMatchObject({
    status: 'none',
    is_active: false,
    allows: [],
    is_configured: true,
    has_customer: false,
    read_at: null,
    plans: { monthly: '199', yearly: '1990.00' },
  });
  expect((await portal(id)).error).toBe('no_customer');
  const opened = await world.checkout(id);
  expect(opened).toMatchObject({ status: 200, data: { url: expect.stringContaining('/c/pay/cs_') } });
  expect((await world.subscriptionOf(id)).status).toBe('none');

  world.billing.pay(await world.customerOf(id));
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({
    status: 'active',
    is_active: true,
    interval: 'monthly',
    allows: ['exchange_bot'],
    cancel_at_period_end: false,
    grace_until: null,
    has_customer: true,
    read_at: expect.any(String),
  });
  expect(await auditsOf(id)).toMatchObject([
    { action: 'subscription.checkout_opened', after: { interval: 'monthly' } },
    { action: 'subscription.changed', actor_name: 'Stripe', after: { status: 'active' } },
  ]);
  expect((await world.checkout(id, 'yearly')).error).toBe('already_subscribed');
});

test('the list of subscriptions has the facts of each community in scope, and of archived ones that still pay', async () => {
  const [ending, over] = [(await world.subscribe()).id, await world.newCommunity()];
  await world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = ANY ($1)', [
    [ending, over],
  ]);
  const listed = async (token: string) => {
    const answer = (await send(world.product.app, 'GET /api/subscriptions', {}, token)).json();
    return answer as CallAnswer<'GET /api/subscriptions'>;
  };
  const { data, meta } = await listed(await world.product.signIn('super'));
  expect(meta).toEqual({ is_configured: true, plans: { monthly: '199', yearly: '1990.00' } });
  const communities = await world.owner<{ id: string; name: string }>(
    'SELECT id, name FROM community WHERE NOT is_archived OR id = $1 ORDER BY id',
    [ending],
  );
  expect(data.map(({ community_id, community }) => [community_id, community]).toSorted()).toEqual(
    communities.map(({ id, name }) => [id, name]),
  );
  expect(new Set(data.map(({ status }) => status)).size).toBeGreaterThan(3);
  for (const { community: _, is_archived: __, ...facts } of data) {
    const {
      allows: ___,
      is_configured: ____,
      plans: _____,
      ...one
    } = await world.subscriptionOf(facts.community_id);
    expect(facts).toEqual(one);
  }
  const own = (await listed(await world.product.signIn('staff'))).data;
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThan(data.length);
});

test('the page of an interval is one, and the page of another interval takes its place', async () => {
  const id = await world.newCommunity();
  const [first, again] = await Promise.all([world.checkout(id), world.checkout(id)]);
  expect(again.data.url).toBe(first.data.url);
  const yearly = await world.checkout(id, 'yearly');
  expect(yearly.data.url).not.toBe(first.data.url);
  const customer = await world.customerOf(id);
  const sessions = Object.values(world.billing.account.state.sessions).filter(
    (session) => session.customer === customer,
  );
  expect(sessions.map(({ status }) => status).sort()).toEqual(['expired', 'open']);
});

test('of two checkouts of different intervals at once, one page is open at most', async () => {
  const id = await world.newCommunity();
  const both = await Promise.all([world.checkout(id), world.checkout(id, 'yearly')]);
  for (const { status, error } of both) expect([200, 'checkout_under_way']).toContain(error ?? status);
  const customers = Object.values(world.billing.account.state.customers).filter(
    ({ metadata }) => metadata.community_id === id,
  );
  expect(customers).toHaveLength(1);
  const open = Object.values(world.billing.account.state.sessions).filter(
    ({ customer, status }) => customer === customers[0]?.id && status === 'open',
  );
  expect(open).toHaveLength(1);
});

test('a repeated key gets the same answer, also after the payment', async () => {
  const id = await world.newCommunity();
  const headers = { 'idempotency-key': `checkout-${id}` };
  const first = await world.checkout(id, 'monthly', headers);
  world.billing.pay(await world.customerOf(id));
  await world.work();
  expect((await world.checkout(id, 'monthly', headers)).data).toEqual(first.data);
  expect((await world.checkout(id)).error).toBe('already_subscribed');
});

test('a payment whose events have not arrived prevents a second one', async () => {
  const id = await world.newCommunity();
  await world.checkout(id);
  world.billing.webhooks.hold();
  world.billing.pay(await world.customerOf(id));
  expect((await world.checkout(id)).error).toBe('already_subscribed');
  await world.billing.webhooks.release();
  await world.work();
  expect((await world.subscriptionOf(id)).status).toBe('active');
});

/** Less than the payment service is waited for: a transaction that it holds is not ended by that. */
const HELD_MS = 10_000;
/** Ends once no transaction waits for something else than the database: a read ends right after its answer. */
const noneWaits = () => until(async () => (await idleTransactions()) === 0, HELD_MS);
const idleTransactions = async () => {
  const [row] = await world.owner<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  return row?.count;
};

test.each([undefined, 'a-key-of-its-own'])(
  'a silent payment service holds no transaction, key: %s',
  async (key) => {
    const id = await world.newCommunity();
    const headers = key ? { 'idempotency-key': key } : {};
    const goOn = world.billing.stall();
    const before = world.billing.calls();
    const opening = world.checkout(id, 'monthly', headers);
    await until(async () => world.billing.calls() > before);
    await noneWaits();
    goOn();
    expect((await opening).status).toBe(200);
    const stallPortal = world.billing.stall();
    const asked = world.billing.calls();
    const managing = portal(id);
    await until(async () => world.billing.calls() > asked);
    await noneWaits();
    stallPortal();
    expect((await managing).status).toBe(200);
  },
);

test('a crash after the customer was created is finished by the comparison, with the same customer', async () => {
  const id = await world.newCommunity();
  const crash = new Error('the process has ended');
  const { billing, db } = world.deps;
  const dying = {
    ...billing,
    async createCustomer(community: { id: string; name: string }) {
      await billing.createCustomer(community);
      throw crash;
    },
  };
  const caller = { scope: WHOLE_SCOPE, actor: WORKER_ACTOR };
  await expect(customerOf({ db, billing: dying }, caller, { id, name: 'Before' })).rejects.toBe(crash);
  expect(await world.customerOf(id)).toBe('');
  expect(await world.compare()).toBe(0);
  // Renamed since: the name of the first attempt counts.
  expect(await customerOf({ db, billing }, caller, { id, name: 'After' })).toBe(await world.customerOf(id));
  const made = Object.values(world.billing.account.state.customers).filter(
    ({ metadata }) => metadata.community_id === id,
  );
  expect(made.map((one) => one.id)).toEqual([await world.customerOf(id)]);
  expect(await world.owner('SELECT FROM billing_customer_intent')).toEqual([]);
});

test('a payment while a second page is being opened prevents that page', async () => {
  const id = await world.newCommunity();
  await world.checkout(id);
  const customer = await world.customerOf(id);
  const goOn = world.billing.stall();
  const before = world.billing.calls();
  const opening = world.checkout(id);
  await until(async () => world.billing.calls() > before);
  world.billing.webhooks.hold();
  expect(world.billing.pay(customer)).toBe(true);
  goOn();
  expect((await opening).error).toBe('already_subscribed');
  await world.billing.webhooks.release();
  await world.work();
  const open = Object.values(world.billing.account.state.sessions).filter(
    (one) => one.customer === customer && one.status === 'open',
  );
  expect(open).toEqual([]);
});

test('a community that is archived while its page is opened does not get it', async () => {
  const id = await world.newCommunity();
  const goOn = world.billing.stall();
  const before = world.billing.calls();
  const opening = world.checkout(id);
  await until(async () => world.billing.calls() > before);
  await world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [id]);
  goOn();
  expect((await opening).error).toBe('community_archived');
});

test('a canceled subscription lasts to the end of its period, can be resumed, and ends', async () => {
  const { id, customer } = await world.subscribe();
  expect((await portal(id)).data.url).toContain('/p/session/bps_');
  await world.billing.act('cancel', { customer });
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  await world.billing.act('resume', { customer });
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ cancel_at_period_end: false });
  await world.billing.act('switch_year', { customer });
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', interval: 'yearly' });
  await world.billing.act('cancel_now', { customer });
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({
    status: 'canceled',
    is_active: false,
    closed_at: expect.any(String),
  });
  expect((await world.checkout(id)).status).toBe(200);
});

test('a price that differs from the one on screen is not charged', async () => {
  const id = await world.newCommunity();
  const other = await createBillingWorld({ PLAN_MONTHLY_USD: '49.90' });
  try {
    const refused = await other.checkout(await other.newCommunity());
    expect(refused).toMatchObject({ status: 409, error: 'plan_unavailable' });
    expect(refused.message).toContain('price at the payment service');
  } finally {
    await other.close();
  }
  expect((await world.checkout(id)).status).toBe(200);
});

test('a failing payment service is no failure of ours, and its key is in no text', async () => {
  const id = await world.newCommunity();
  world.billing.fail(500, 2);
  expect(await world.checkout(id)).toMatchObject({ status: 503, error: 'billing_unavailable' });
  world.billing.fail(401, 1);
  const refused = await world.checkout(id);
  expect(refused).toMatchObject({ status: 503, error: 'billing_unavailable' });
  expect(refused.body).not.toContain(SECRET_KEY);
  expect((await world.checkout(id)).status).toBe(200);
});

test('people come back to the address that they came from, if it is ours', async () => {
  const id = await world.newCommunity();
  const pageOf = async (origin: string) => {
    const { data } = await world.as('POST /api/communities/{id}/customer-portal', world.at(id), { origin });
    return world.billing.account.state.portals[data.url.split('/').at(-1)]?.returnUrl;
  };
  await world.checkout(id);
  expect(await pageOf('http://127.0.0.1:3000')).toBe(
    `http://127.0.0.1:3000/community-settings/${id}?tab=settings`,
  );
  expect(await pageOf('https://evil.example')).toBe(
    `http://localhost:3000/community-settings/${id}?tab=settings`,
  );
});

test('what the plan does not include may not be switched on', async () => {
  const id = await world.newCommunity();
  const refused = await world.as('POST /api/exchange-bot', {
    body: { community_id: id, token: '2000777:demo-token-of-this-bot' },
  });
  expect(refused).toMatchObject({ status: 409, error: 'subscription_required' });
  await world.owner(
    `INSERT INTO exchange_bot (community_id, telegram_id, username, name, language, is_active)
     VALUES ($1, 2000777, 'b', 'b', 'en', false)`,
    [id],
  );
  const [bot] = await world.owner<{ id: string }>('SELECT id FROM exchange_bot WHERE community_id = $1', [
    id,
  ]);
  const change = (body: object) =>
    world.as('PATCH /api/exchange-bot/{id}', { params: { id: bot?.id ?? '' }, body });
  expect((await change({ is_active: true })).error).toBe('subscription_required');
  expect((await change({ language: 'pl' })).status).toBe(200);
  await world.checkout(id);
  world.billing.pay(await world.customerOf(id));
  await world.work();
  expect((await change({ is_active: true })).data).toMatchObject({ is_active: true });
});

test('staff see the subscription of their community, and cannot buy one', async () => {
  const { id } = await world.subscribe();
  const staff = await world.product.signIn('staff');
  const own = await send(world.product.app, 'GET /api/communities', {}, staff);
  const ownId = own.json().data[0].id;
  const asked = (call: string, target: string, body?: object) =>
    send(world.product.app, call, { ...world.at(target), ...(body ? { body } : {}) }, staff);
  expect((await asked('GET /api/communities/{id}/subscription', ownId)).statusCode).toBe(200);
  const foreign = own.json().data.some((community: { id: string }) => community.id === id)
    ? '00000000-0000-4000-8000-000000000000'
    : id;
  expect((await asked('GET /api/communities/{id}/subscription', foreign)).statusCode).toBe(404);
  const refused = await asked('POST /api/communities/{id}/checkout', ownId, { interval: 'monthly' });
  expect(refused.json().error).toBe('super_admin_required');
});

test('without keys of the payment service nothing can be bought, and nothing is refused', async () => {
  const plain = await createTestApp();
  try {
    const token = await plain.signIn('super');
    const communities = (await send(plain.app, 'GET /api/communities', {}, token)).json().data;
    const at = { params: { id: communities[0].id } };
    const shown = await send(plain.app, 'GET /api/communities/{id}/subscription', at, token);
    expect(shown.json().data).toMatchObject({ is_configured: false });
    const refused = await send(
      plain.app,
      'POST /api/communities/{id}/checkout',
      { ...at, body: { interval: 'monthly' } },
      token,
    );
    expect(refused.json().error).toBe('billing_not_configured');
  } finally {
    await plain.close();
  }
});

test('the subscription of an archived community ends with its period, and is not ended twice', async () => {
  const { id } = await world.subscribe();
  const kept = await world.subscribe();
  const late = await world.newCommunity();
  await world.checkout(late);
  await world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = ANY ($1)', [
    [id, late],
  ]);
  // More often than the library asks again.
  world.billing.fail(500, 20);
  await endArchivedSubscriptions(world.deps);
  world.billing.fail(500, 0);
  expect((await world.subscriptionOf(id)).cancel_at_period_end).toBe(false);
  for (let times = 0; times < 2; times++) await endArchivedSubscriptions(world.deps);
  await world.work();
  expect(await world.subscriptionOf(id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  expect(await world.subscriptionOf(kept.id)).toMatchObject({
    status: 'active',
    cancel_at_period_end: false,
  });
  const ended = (await auditsOf(id)).filter(({ action }) => action === 'subscription.ended');
  expect(ended).toMatchObject([{ actor_name: 'worker', after: { cancel_at_period_end: true } }]);

  // Paid on a page that was opened before: it does not renew either.
  world.billing.pay(await world.customerOf(late));
  await world.work();
  await endArchivedSubscriptions(world.deps);
  expect(await world.subscriptionOf(late)).toMatchObject({ status: 'active', cancel_at_period_end: true });

  const refused = await world.as('DELETE /api/super-admin/communities/{id}', world.at(id));
  expect(refused).toMatchObject({ error: 'delete_community_failed' });
  expect(refused.body).toContain('it has or had a subscription');
});
