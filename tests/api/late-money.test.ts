import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireSales } from '../../apps/server/src/features/exchange-bot/sales/cancel-sales.ts';
import { accountKeyOf } from '../../apps/server/src/integrations/chain/account-key.ts';
import { createWalletKeys } from '../../apps/server/src/integrations/chain/wallet-keys.ts';
import { send } from '../support/send.ts';
import { deriveAll } from '../support/world/derive-all.ts';
import { createInvoicingWorld, type InvoicingWorld } from '../support/world/invoicing-world.ts';
import { findUnsound } from '../support/world/sound-invoices.ts';
import { usdt } from '../support/world/usdt.ts';

// Money that reaches a trader after the order that it was for has ended.

const seed = randomBytes(32);
let world: InvoicingWorld;
let token: string;
let bot: { id: string; community_id: string };
let plans: Record<string, string>;
let person = 710_000_000;

beforeAll(async () => {
  world = await createInvoicingWorld({ env: { DEPOSIT_ACCOUNT_KEY: accountKeyOf(seed) } });
  token = await world.signIn('super');
  await deriveAll({ db: world.db, keys: createWalletKeys(seed) });
  [bot = { id: '', community_id: '' }] = await world.owner<typeof bot>(
    'SELECT id, community_id FROM exchange_bot',
  );
  const listed = await world.owner<{ id: string; name: string }>('SELECT id, name FROM exchange_bot_plan');
  plans = Object.fromEntries(listed.map(({ id, name }) => [name, id]));
});
afterAll(() => world?.close());
// The sums of a day begin anew with each test.
beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

async function as(call: string, parts: Parameters<typeof send>[2]) {
  const answer = await send(world.app, call, parts, token);
  const { data, error, message } = answer.json();
  return { status: answer.statusCode, data, error, message };
}
async function order(plan = 'One month', more: Record<string, unknown> = {}) {
  person += 1;
  const buyer = { telegram_user_id: String(person), name: 'Ada Berg' };
  const body = { plan_id: plans[plan], ...('trader_id' in more ? {} : { buyer }), ...more };
  const answer = await as('POST /api/exchange-bot/invoices', { body });
  expect(answer.status, answer.message).toBe(201);
  return answer.data as { id: string; trader_id: string; status: string };
}
const cancel = (id: string) =>
  as('PATCH /api/exchange-bot/invoices/{id}/status', { params: { id }, body: { status: 'cancelled' } });
async function expire(id: string) {
  await world.owner('UPDATE exchange_bot_sale SET expires_at = now() WHERE invoice_id = $1', [id]);
  await expireSales({ db: world.db, now: () => new Date() });
}
const ordersOf = async (traderId: string) =>
  (await as('GET /api/exchange-bot/invoices/user/{id}', { params: { id: traderId }, query: {} })).data as {
    id: string;
    status: string;
    plan_name: string;
    access_until: string | null;
  }[];
/** Credit and tips of a trader, in USDT. */
async function restOf(traderId: string) {
  const [row] = await world.owner<{ credit: string; tips: string }>(
    `SELECT (SELECT trim_scale(coalesce(sum(open_units), 0) / 1e18)::text FROM payment WHERE trader_id = $1) AS credit,
       (SELECT trim_scale(coalesce(sum(m.tip_units), 0) / 1e18)::text FROM invoice_payment m
        JOIN invoice i ON i.id = m.invoice_id WHERE i.trader_id = $1) AS tips`,
    [traderId],
  );
  return row;
}
const pay = (traderId: string, amount: number) => world.pay(traderId, usdt(amount * 10) / 10n);
const sound = async () => expect(await findUnsound(world)).toEqual({});
const NOTHING = { credit: '0', tips: '0' };

describe('a payment of exactly an order that ended lately', () => {
  test('pays it: a renewal that expired gives access, and ordering again owes nothing', async () => {
    const first = await order();
    await pay(first.trader_id, 49);
    const renewal = await order('One month', { trader_id: first.trader_id });
    await expire(renewal.id);
    await pay(first.trader_id, 49);
    const again = await order('One month', { trader_id: first.trader_id });
    expect(again).toMatchObject({ id: renewal.id, status: 'paid' });
    expect((await ordersOf(first.trader_id)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(await restOf(first.trader_id)).toEqual(NOTHING);
    await sound();
  });

  test('ordered again before the payment is known: the new order is paid', async () => {
    const first = await order();
    await expire(first.id);
    const again = await order('One month', { trader_id: first.trader_id });
    await pay(first.trader_id, 49);
    expect(await ordersOf(first.trader_id)).toMatchObject([
      { id: again.id, status: 'paid' },
      { id: first.id, status: 'cancelled' },
    ]);
    await sound();
  });

  test('pays it after it was cancelled, and once of two payments at once', async () => {
    const sale = await order();
    expect((await cancel(sale.id)).data.status).toBe('cancelled');
    await Promise.all([pay(sale.trader_id, 49), pay(sale.trader_id, 49)]);
    expect(await ordersOf(sale.trader_id)).toMatchObject([
      { status: 'paid', access_until: expect.any(String) },
    ]);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '49', tips: '0' });
    await sound();
  });

  test('pays the month although a year was ordered since, which stays open', async () => {
    const month = await order();
    const year = await order('One year', { trader_id: month.trader_id });
    await pay(month.trader_id, 49);
    expect(await ordersOf(month.trader_id)).toMatchObject([
      { id: year.id, status: 'pending' },
      { id: month.id, status: 'paid' },
    ]);
    expect((await cancel(year.id)).data.status).toBe('cancelled');
    expect(await restOf(month.trader_id)).toEqual(NOTHING);
    await sound();
  });

  test('pays it once although the same plan was ordered several times', async () => {
    const sale = await order();
    const second = await order('One month', { trader_id: sale.trader_id });
    await cancel(second.id);
    await pay(sale.trader_id, 49);
    expect(await ordersOf(sale.trader_id)).toMatchObject([
      { id: second.id, status: 'paid' },
      { id: sale.id, status: 'cancelled' },
    ]);
  });

  test('pays what was ordered although its plan is not sold any more', async () => {
    const sale = await order();
    await cancel(sale.id);
    await world.owner('UPDATE exchange_bot_plan SET deleted_at = now() WHERE id = $1', [plans['One month']]);
    await pay(sale.trader_id, 49);
    await world.owner('UPDATE exchange_bot_plan SET deleted_at = NULL WHERE id = $1', [plans['One month']]);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'paid' }]);
  });

  test.each([
    [
      'its bot is switched off',
      () => world.owner('UPDATE exchange_bot SET is_active = false'),
      () => world.owner('UPDATE exchange_bot SET is_active = true'),
    ],
    [
      'its community is archived',
      () =>
        world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [
          bot.community_id,
        ]),
      () =>
        world.owner('UPDATE community SET is_archived = false, archived_at = NULL WHERE id = $1', [
          bot.community_id,
        ]),
    ],
    [
      'it ended a week ago',
      () => world.owner(`UPDATE exchange_bot_sale SET ended_at = ended_at - interval '7 days'`),
      async () => {},
    ],
  ])('is credit where %s', async (_, before, after) => {
    const sale = await order();
    await cancel(sale.id);
    await before();
    await pay(sale.trader_id, 49);
    await after();
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '49', tips: '0' });
    await sound();
  });

  test('is credit where the buyer has bought since', async () => {
    const month = await order();
    await order('One year', { trader_id: month.trader_id });
    await pay(month.trader_id, 449);
    await pay(month.trader_id, 49);
    expect((await ordersOf(month.trader_id)).map(({ status }) => status)).toEqual(['paid', 'cancelled']);
    expect(await restOf(month.trader_id)).toEqual({ credit: '49', tips: '0' });
  });

  test('is credit where another order has used up its coupon', async () => {
    const code = `T${randomUUID().slice(0, 8).toUpperCase()}`;
    await as('POST /api/exchange-bot/{id}/coupons', {
      params: { id: bot.id },
      body: { code, percent: 50, max_uses: 1 },
    });
    const sale = await order('One month', { coupon_code: code });
    await cancel(sale.id);
    const other = await order('One month', { coupon_code: code });
    await pay(sale.trader_id, 24.5);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '24.5', tips: '0' });
    await cancel(other.id);
    await pay(other.trader_id, 24.5);
    expect(await ordersOf(other.trader_id)).toMatchObject([{ status: 'paid' }]);
    await sound();
  });

  test('that came before, as credit, revives nothing later', async () => {
    const sale = await order();
    await pay(sale.trader_id, 98);
    await world.owner(
      `UPDATE payment SET received_at = received_at - interval '1 hour' WHERE trader_id = $1`,
      [sale.trader_id],
    );
    const next = await order('One month', { trader_id: sale.trader_id });
    await cancel(next.id);
    await pay(sale.trader_id, 3);
    expect((await ordersOf(sale.trader_id)).map(({ status }) => status)).toEqual(['cancelled', 'paid']);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '52', tips: '0' });
  });
});
