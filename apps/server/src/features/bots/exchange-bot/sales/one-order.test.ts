import { randomBytes, randomUUID } from 'node:crypto';
import type { Found } from '@copydesk/contract/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../../tests/support/send.ts';
import { deriveAll } from '../../../../../../../tests/support/world/derive-all.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../../tests/support/world/invoicing-world.ts';
import { accountKeyOf } from '../../../../integrations/chain/account-key.ts';
import { createWalletKeys } from '../../../../integrations/chain/wallet-keys.ts';

const seed = randomBytes(32);

let world: InvoicingWorld;
let superAdmin: string;
let staff: string;
let bot: { id: string; username: string; telegram_id: string; community_id: string; community: string };
beforeAll(async () => {
  world = await createInvoicingWorld({ env: { DEPOSIT_ACCOUNT_KEY: accountKeyOf(seed) } });
  [superAdmin, staff] = [await world.signIn('super'), await world.signIn('staff')];
  await deriveAll({ db: world.db, keys: createWalletKeys(seed) });
  const [row] = await world.owner<typeof bot & { plan: string }>(
    `SELECT b.id, b.username, b.telegram_id::text, b.community_id, c.name AS community, p.id AS plan
     FROM exchange_bot b JOIN community c ON c.id = b.community_id
     JOIN exchange_bot_plan p ON p.bot_id = b.id AND p.name = 'One month'`,
  );
  bot = row as typeof bot;
  for (const [n, what] of ['open', 'coupon', 'paid', 'cancelled'].entries()) {
    const ordered = await send(
      world.app,
      'POST /api/exchange-bot/invoices',
      {
        body: {
          plan_id: row?.plan as string,
          buyer: {
            telegram_user_id: `80000000${n}`,
            telegram_username: `buyer_of_${what}`,
            name: 'Ada Berg',
          },
          ...(what === 'coupon' && { coupon_code: 'WELCOME10' }),
        },
      },
      superAdmin,
    );
    expect(ordered.statusCode, ordered.body).toBe(201);
    if (what !== 'paid' && what !== 'cancelled') continue;
    const changed = await send(
      world.app,
      'PATCH /api/exchange-bot/invoices/{id}/status',
      { params: { id: ordered.json().data.id }, body: { status: what } },
      superAdmin,
    );
    expect(changed.json().data, changed.body).toMatchObject({ status: what });
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
