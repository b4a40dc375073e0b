import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import {
  type BillingWorld,
  createBillingWorld,
  DAY,
} from '../../../../../tests/support/world/billing-world.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { claimMessages } from '../messages/message-delivery.store.ts';

const LINK = 'POST /api/communities/{id}/payment-link';
const PAGE = 'POST /api/community-owner/payment';
const OPEN = 'POST /api/community-owner/payment/page';

let world: BillingWorld;
beforeAll(async () => {
  world = await createBillingWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.billing.fail(500, 0));

async function withOwner(id: string, language = 'es') {
  await world.owner(
    "UPDATE community SET owner_telegram_id = 4711, owner_name = 'Olga', owner_language = $2 WHERE id = $1",
    [id, language],
  );
  return id;
}
const messagesOf = (id: string) =>
  world.owner<{ id: string; text: string; language: string; state: string }>(
    "SELECT id, text, language, state FROM message WHERE community_id = $1 AND kind = 'payment_link' ORDER BY created_at",
    [id],
  );
const tokenIn = (text: string) => /\/community-owner#([\w-]{43})"/.exec(text)?.[1] ?? '';
const tokenOf = async (id: string) => {
  expect((await world.as(LINK, world.at(id))).status).toBe(200);
  return tokenIn((await messagesOf(id)).at(-1)?.text ?? '');
};
/** What the owner asks for, who is not signed in. */
async function ask(call: string, body: object) {
  const answer = await send(world.product.app, call, { body }, '');
  const { data, error } = answer.json();
  return { status: answer.statusCode, data, error };
}
const sessionsOf = async (id: string) => {
  const customer = await world.customerOf(id);
  return Object.values(world.billing.account.state.sessions).filter((one) => one.customer === customer);
};

test('the owner of a community that never subscribed is sent a link, chooses a plan and pays', async () => {
  const id = await withOwner(await world.newCommunity());
  const shown = await world.as('GET /api/communities/{id}/payment-link', world.at(id));
  expect(shown.data).toMatchObject({ owner: { name: 'Olga', has_chat: true }, language: 'es', sent: null });
  expect(shown.data.text).toContain('todavía no está pagada');
  expect(shown.data.text).not.toMatch(/community-owner|</);
  expect(await messagesOf(id)).toEqual([]);

  const token = await tokenOf(id);
  expect(await messagesOf(id)).toMatchObject([{ language: 'es', state: 'queued' }]);
  const page = await ask(PAGE, { token });
  expect(page.data).toMatchObject({
    language: 'es',
    state: 'plan',
    plans: [
      { interval: 'monthly', label: expect.stringContaining('$199') },
      { interval: 'yearly', label: expect.stringContaining('$1990') },
    ],
  });
  const opened = await ask(OPEN, { token, interval: 'yearly' });
  expect(opened.data.url).toContain('/c/pay/cs_');
  expect((await ask(OPEN, { token, interval: 'yearly' })).data.url).toBe(opened.data.url);
  const [session] = await sessionsOf(id);
  expect(session?.successUrl).toMatch(/\/community-owner\?paid=1#[\w-]{43}$/);

  world.billing.pay(await world.customerOf(id));
  await world.work();
  expect((await world.subscriptionOf(id)).status).toBe('active');
  expect((await ask(PAGE, { token })).data).toMatchObject({ state: 'paid', plans: [] });
  expect((await ask(OPEN, { token, interval: 'monthly' })).error).toBe('already_subscribed');
  expect((await world.as(LINK, world.at(id))).error).toBe('already_subscribed');
  const entries = await world.owner<{ action: string; text: string }>(
    "SELECT action, after::text AS text FROM audit_entry WHERE target_id = $1 AND action LIKE 'subscription.link%'",
    [id],
  );
  expect(entries).toEqual([{ action: 'subscription.link_sent', text: expect.not.stringContaining(token) }]);
});

test('who owes for a subscription pays the invoice, and is not asked to choose', async () => {
  const { id, customer } = await world.subscribe();
  await withOwner(id, 'en');
  await world.billing.act('card_declines', { customer });
  await world.advance(32);
  expect((await world.subscriptionOf(id)).status).toBe('past_due');
  const token = await tokenOf(id);
  expect((await messagesOf(id))[0]?.text).toContain('failed');
  expect((await ask(PAGE, { token })).data).toMatchObject({ state: 'unpaid', plans: [] });
  expect((await ask(OPEN, { token, interval: 'monthly' })).error).toBe('already_subscribed');
  const { data } = await ask(OPEN, { token, interval: null });
  expect(data.url).toMatch(/\/i\/in_/);
  expect(await (await fetch(data.url)).text()).toContain('due');
  const paid = await fetch(data.url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }) });
  expect(await paid.text()).toContain('paid');
  await world.work();
  expect((await world.subscriptionOf(id)).status).toBe('active');
  expect((await ask(PAGE, { token })).data.state).toBe('paid');
  expect((await ask(OPEN, { token, interval: null })).error).toBe('already_subscribed');
});

test('of two people who send it at once one is told, and again within ten minutes; later it goes', async () => {
  const id = await withOwner(await world.newCommunity());
  const both = await Promise.all([world.as(LINK, world.at(id)), world.as(LINK, world.at(id))]);
  expect(both.map(({ status, error }) => error ?? status).toSorted()).toEqual([200, 'reminded_lately']);
  expect(await messagesOf(id)).toHaveLength(1);
  await world.owner(
    "UPDATE message SET created_at = created_at - interval '11 minutes' WHERE community_id = $1",
    [id],
  );
  expect((await world.as(LINK, world.at(id))).status).toBe(200);
  expect(await messagesOf(id)).toHaveLength(2);
});

test('an owner and a super admin who open pages at once cannot both pay', async () => {
  const id = await withOwner(await world.newCommunity());
  const token = await tokenOf(id);
  const answers = await Promise.all([world.checkout(id), ask(OPEN, { token, interval: 'monthly' })]);
  for (const { status, error } of answers) expect([200, 'checkout_under_way']).toContain(error ?? status);
  const open = (await sessionsOf(id)).filter(({ status }) => status === 'open');
  expect(open).toHaveLength(1);
  // Whoever comes next gets the one way back that is theirs, and the other page closes.
  const own = await ask(OPEN, { token, interval: 'monthly' });
  expect(own.status).toBe(200);
  const left = (await sessionsOf(id)).filter(({ status }) => status === 'open');
  expect(left).toMatchObject([{ successUrl: expect.stringContaining('/community-owner') }]);
});

test('it is refused where nobody reads it, and nothing is offered behind it', async () => {
  const id = await world.newCommunity();
  expect((await world.as(LINK, world.at(id))).error).toBe('owner_unreachable');
  expect(await messagesOf(id)).toEqual([]);
  await withOwner(id);
  const token = await tokenOf(id);
  for (const wrong of ['', 'x', `${token.slice(1)}A`])
    expect((await ask(PAGE, { token: wrong || 'x' })).error).toBe('link_invalid');
  await world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [id]);
  expect((await ask(PAGE, { token })).data).toMatchObject({ state: 'over', plans: [] });
  expect((await ask(OPEN, { token, interval: 'monthly' })).error).toBe('community_archived');
  expect((await world.as(LINK, world.at(id))).error).toBe('community_archived');
  const staff = await world.product.signIn('staff');
  const answer = await send(world.product.app, LINK, world.at(id), staff);
  expect(answer.statusCode).toBe(403);
});

test('a link that waits is withdrawn once the community has subscribed', async () => {
  const waiting = await withOwner(await world.newCommunity());
  await tokenOf(waiting);
  const paid = await withOwner(await world.newCommunity());
  await tokenOf(paid);
  await world.checkout(paid);
  world.billing.pay(await world.customerOf(paid));
  await world.work();
  const at = new Date(world.now().getTime() + DAY * 1_000);
  await world.product.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    claimMessages(tx, { at, limit: 1_000, leaseMs: 60_000 }),
  );
  expect(await messagesOf(paid)).toEqual([]);
  expect(await messagesOf(waiting)).toHaveLength(1);
});

test('a payment service that does not answer leaves the page as it was', async () => {
  const id = await withOwner(await world.newCommunity());
  const token = await tokenOf(id);
  world.billing.fail(500, 20);
  expect((await ask(OPEN, { token, interval: 'monthly' })).error).toBe('billing_unavailable');
  world.billing.fail(500, 0);
  expect((await ask(PAGE, { token })).data.state).toBe('plan');
  expect((await ask(OPEN, { token, interval: 'monthly' })).status).toBe(200);
});
