import { randomUUID } from 'node:crypto';
import type { Found } from '@copydesk/contract/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../../tests/support/send.ts';
import {
  createSellingWorld,
  type SellingWorld,
} from '../../../../../../../tests/support/world/selling-world.ts';

let world: SellingWorld;
let superAdmin: string;
let staff: string;
let bot: { id: string; username: string; telegram_id: string; community_id: string; community: string };
beforeAll(async () => {
  world = await createSellingWorld();
  [superAdmin, staff] = [await world.signIn('super'), await world.signIn('staff')];
  await world.deriveAddresses();
  const [row] = await world.owner<typeof bot>(
    `SELECT b.id, b.username, b.telegram_id::text, b.community_id, c.name AS community
     FROM exchange_bot b JOIN community c ON c.id = b.community_id WHERE c.id = $1`,
    [world.communityId],
  );
  bot = row as typeof bot;
  for (const [n, what] of ['open', 'coupon', 'paid', 'cancelled'].entries()) {
    const ordered = await world.order({
      buyer: { telegram_user_id: `80000000${n}`, telegram_username: `buyer_of_${what}`, name: 'Ada Berg' },
      ...(what === 'coupon' && { coupon_code: 'WELCOME10' }),
    });
    expect(ordered.status).toBe(201);
    if (what !== 'paid' && what !== 'cancelled') continue;
    expect((await world.change(ordered.data.id, what)).data).toMatchObject({ status: what });
  }
});
afterAll(() => world?.close());

async function search(q: string, as = superAdmin): Promise<Found[]> {
  const answer = await send(world.app, 'GET /api/search', { query: { q, limit: '20' } }, as);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Found[] }>().data;
}
const of = (kind: Found['kind'], found: readonly Found[]) => found.filter((each) => each.kind === kind);
const ask = (call: string, id: string, as = superAdmin) =>
  send(world.app, call, { params: { id }, query: call.endsWith('sales') ? { limit: '100' } : undefined }, as);

test('an order says on its own what the list of its bot says, and where it was sold', async () => {
  const { data: sales } = (await ask('GET /api/exchange-bot/{id}/sales', bot.id)).json();
  expect(sales.length).toBeGreaterThanOrEqual(4);
  const states = new Set<string>();
  for (const sale of sales) {
    const { data } = (await ask('GET /api/exchange-bot/invoices/{id}', sale.id)).json();
    expect(data).toMatchObject(sale);
    expect(data).toMatchObject({
      bot_id: bot.id,
      bot_username: bot.username,
      community_id: bot.community_id,
      community: bot.community,
    });
    expect(data.sold_at === null).toBe(sale.status !== 'paid');
    expect(Number(data.price) - Number(data.discount_amount ?? 0)).toBeCloseTo(Number(data.amount), 9);
    expect(data.discount_amount === null).toBe(sale.coupon_code === null);
    states.add(sale.status);
  }
  expect(states).toEqual(new Set(['pending', 'paid', 'cancelled']));
  expect((await ask('GET /api/exchange-bot/invoices/{id}', randomUUID())).statusCode).toBe(404);
  expect((await ask('GET /api/exchange-bot/invoices/{id}', sales[0].id, staff)).statusCode).toBe(403);
});

test('orders are found by their id, buyer and coupon, bots by their names, for super admins alone', async () => {
  const [sale] = await world.owner<{ id: string; handle: string; code: string; paid: boolean }>(
    `SELECT s.invoice_id AS id, t.telegram_username AS handle, c.code, s.sold_at IS NOT NULL AS paid
     FROM exchange_bot_sale s JOIN trader t ON t.id = s.trader_id JOIN exchange_bot_coupon c ON c.id = s.coupon_id
     WHERE t.telegram_username <> '' LIMIT 1`,
  );
  if (!sale) throw new Error('no order with a coupon');
  for (const text of [
    sale.id,
    sale.id.toUpperCase(),
    sale.id.slice(0, 13),
    `@${sale.handle}`,
    sale.code.toLowerCase(),
  ]) {
    const found = of('order', await search(text));
    expect(
      found.map(({ id }) => id),
      text,
    ).toContain(sale.id);
    expect(of('order', await search(text, staff)), text).toEqual([]);
  }
  expect(of('order', await search(sale.id))).toMatchObject([
    {
      is_exact: true,
      status: sale.paid ? 'paid' : expect.any(String),
      note: expect.stringContaining(bot.community),
    },
  ]);
  for (const text of [
    `@${bot.username}`,
    bot.username.slice(1, 6).toUpperCase(),
    bot.telegram_id,
    bot.community,
  ]) {
    expect(of('bot', await search(text)), text).toMatchObject([
      { id: bot.community_id, title: `@${bot.username}` },
    ]);
    expect(of('bot', await search(text, staff)), text).toEqual([]);
  }
  for (const text of ['%', "'", '@', 'no such order', '0'.repeat(32)])
    expect(of('order', await search(text)), text).toEqual([]);
  expect(of('bot', await search('@'))).toEqual([]);
});
