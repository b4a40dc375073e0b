import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireNothingOnItsWayTo } from '../../apps/server/src/core/chain/on-its-way.views.ts';
import { recordFacts } from '../../apps/server/src/features/bots/exchange-bot/answering/record-facts.ts';
import { expireSales } from '../../apps/server/src/features/bots/exchange-bot/sales/cancel-sales.ts';
import { accountKeyOf } from '../../apps/server/src/integrations/chain/account-key.ts';
import { createWalletKeys } from '../../apps/server/src/integrations/chain/wallet-keys.ts';
import { WHOLE_SCOPE } from '../../apps/server/src/platform/db/database.ts';
import { send } from '../support/send.ts';
import { addCommunity } from '../support/world/communities.ts';
import { deriveAll } from '../support/world/derive-all.ts';
import { createInvoicingWorld, type InvoicingWorld } from '../support/world/invoicing-world.ts';
import { findUnsound } from '../support/world/sound-invoices.ts';
import { addBareTrader } from '../support/world/traders.ts';
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

describe('an order of which a part was paid', () => {
  const end = (id: string, body: Record<string, unknown> = {}) =>
    as('PATCH /api/exchange-bot/invoices/{id}/status', {
      params: { id },
      body: { status: 'cancelled', paid_becomes_credit: true, ...body },
    });

  test('is ended by a person, once: what was paid becomes credit, and its buyer is told', async () => {
    const sale = await order();
    const chat = `INSERT INTO exchange_bot_chat (bot_id, telegram_user_id, language, counted_from, last_seen_at, created_at) VALUES ($1, $2, 'en', now(), now(), now())`;
    await world.owner(chat, [bot.id, person]);
    await pay(sale.trader_id, 20);
    await pay(sale.trader_id, 9);
    const day = async () =>
      (await world.owner('SELECT sum(received_units)::text AS units FROM community_day'))[0]?.units as string;
    const received = BigInt(await day());
    expect(await cancel(sale.id)).toMatchObject({ status: 409, error: 'sale_part_paid' });
    const [first, second] = await Promise.all([end(sale.id), end(sale.id)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.data).toMatchObject({ status: 'cancelled', paid_amount: '0', credited_amount: '29' });
    expect(await restOf(sale.trader_id)).toEqual({ credit: '29', tips: '0' });
    expect(received - BigInt(await day())).toBe(usdt(29));
    const audited = await world.owner(
      `SELECT FROM audit_entry WHERE action = 'invoice.cancelled' AND target_id = $1`,
      [sale.id],
    );
    expect(audited).toHaveLength(1);
    await sound();
    await recordFacts({ db: world.db, now: () => new Date() });
    await recordFacts({ db: world.db, now: () => new Date() });
    const said = await world.owner<{ text: string }>(
      'SELECT text FROM exchange_bot_message WHERE telegram_user_id = $1',
      [person],
    );
    expect(said.map(({ text }) => text.replace(/<[^>]+>|[\u2066-\u2069]/g, ''))).toEqual([
      'Your order was ended: One month. The 29.00 USDT that you paid is kept as your credit. It pays your next invoice, or an order that you make.',
    ]);
    // All of it within seven days still pays it.
    await pay(sale.trader_id, 49);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'paid' }]);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '29', tips: '0' });
    await sound();
  });

  test('leaves credit that is a tip on it once it is revived, in books that agree', async () => {
    const sale = await order();
    await pay(sale.trader_id, 0.8);
    expect((await end(sale.id)).data).toMatchObject({ status: 'cancelled', credited_amount: '0.8' });
    await pay(sale.trader_id, 49);
    await pay(sale.trader_id, 0.1);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'paid' }]);
    expect(await restOf(sale.trader_id)).toEqual({ credit: '0', tips: '0.9' });
    await sound();
  });

  test('waits above the limit, and is refused once more was paid', async () => {
    const price = (units: bigint) =>
      world.owner('UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1', [plans['One year'], units]);
    await price(usdt(3_000));
    const sale = await order('One year');
    await price(usdt(449));
    await pay(sale.trader_id, 20);
    const waits = await end(sale.id, { reason: 'The buyer does not want it' });
    expect(waits.data).toMatchObject({ state: 'awaiting_approval' });
    expect(await restOf(sale.trader_id)).toEqual(NOTHING);
    await pay(sale.trader_id, 5);
    const second = await world.signIn('super-2');
    const approve = await send(
      world.app,
      'POST /api/orders/{id}/approve',
      { params: { id: waits.data.order_id } },
      second,
    );
    expect(approve.json()).toMatchObject({ error: 'order_changed' });
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('money on its way', () => {
  let hash = 0;
  async function startSending(traderId: string, amount = 49) {
    hash += 1;
    await world.owner(
      `INSERT INTO incoming_transfer (chain_id, transaction_hash, log_index, trader_id, block_number, amount_units)
       VALUES (56, $1, 0, $2, 1, $3)`,
      [`0x${hash.toString(16).padStart(64, '0')}`, traderId, usdt(amount * 10) / 10n],
    );
  }
  /** As if it had been seen this long ago. */
  const age = (traderId: string, past: string) =>
    world.owner(`UPDATE incoming_transfer SET seen_at = now() - $2::interval WHERE trader_id = $1`, [
      traderId,
      past,
    ]);
  const ON_ITS_WAY = {
    status: 409,
    error: 'payment_on_its_way',
    message: expect.stringMatching(/^49 USDT has been on the way since \d\d:\d\d UTC\./),
  };

  test('delays each way in which an order ends, and says since when and how much', async () => {
    const sale = await order();
    await startSending(sale.trader_id);
    expect(await cancel(sale.id)).toMatchObject(ON_ITS_WAY);
    const body = { plan_id: plans['One year'], trader_id: sale.trader_id };
    expect(await as('POST /api/exchange-bot/invoices', { body })).toMatchObject(ON_ITS_WAY);
    const params = { id: sale.id };
    expect(
      await as('POST /api/exchange-bot/invoices/{id}/apply-coupon', {
        params,
        body: { coupon_code: 'WELCOME10' },
      }),
    ).toMatchObject(ON_ITS_WAY);
    expect(
      await as('PATCH /api/invoices/{id}/archive', { params, body: { is_archived: true } }),
    ).toMatchObject(ON_ITS_WAY);
    expect(
      await as('PATCH /api/exchange-bot/invoices/{id}/status', { params, body: { status: 'paid' } }),
    ).toMatchObject(ON_ITS_WAY);
    await expire(sale.id);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'pending' }]);
    await pay(sale.trader_id, 49);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'paid' }]);
  });

  test('delays for 15 minutes at most, and not below 1 USDT', async () => {
    const sale = await order();
    await startSending(sale.trader_id, 0.9);
    const other = await order();
    await startSending(other.trader_id);
    await age(other.trader_id, '15 minutes');
    for (const { id } of [sale, other]) expect((await cancel(id)).data.status).toBe('cancelled');
  });

  test('is nothing that keeps an order for ever, however often it is sent', async () => {
    const sale = await order();
    await startSending(sale.trader_id);
    await world.owner(
      `UPDATE exchange_bot_sale SET expires_at = now() - interval '61 minutes' WHERE invoice_id = $1`,
      [sale.id],
    );
    await expireSales({ db: world.db, now: () => new Date() });
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'cancelled' }]);
    const first = await order();
    for (let n = 0; n < 3; n++) await pay(first.trader_id, 49);
    const next = await order('One month', { trader_id: first.trader_id });
    await startSending(first.trader_id);
    // Its credit does not pay it: staff ordered.
    if (next.status === 'pending') expect((await cancel(next.id)).data.status).toBe('cancelled');
    const [{ count } = { count: -1 }] = await world.owner<{ count: number }>(
      'SELECT count(*)::int AS count FROM app.on_its_way(ARRAY[$1]::uuid[])',
      [first.trader_id],
    );
    expect(count).toBe(0);
  });

  test('of many traders is one sum, and the first of them by name', async () => {
    const community = await addCommunity(world.owner, []);
    for (let n = 0; n < 25; n += 1)
      await startSending(await addBareTrader(world.owner, { community_id: community }), 1);
    const refusal = world.db.read(WHOLE_SCOPE, (tx) => requireNothingOnItsWayTo(tx, community));
    await expect(refusal).rejects.toMatchObject({
      code: 'payment_on_its_way',
      message: expect.stringMatching(/^25 USDT of 25 traders have been/),
      details: expect.toSatisfy((named: object[]) => named.length === 20),
    });
  });

  test('delays an approval, which is repeated afterwards', async () => {
    const price = (units: bigint) =>
      world.owner('UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1', [plans['One year'], units]);
    await price(usdt(3_000));
    const sale = await order('One year');
    await price(usdt(449));
    const waits = await as('PATCH /api/exchange-bot/invoices/{id}/status', {
      params: { id: sale.id },
      body: { status: 'cancelled', reason: 'The buyer does not want it' },
    });
    const second = await world.signIn('super-2');
    const approve = () =>
      send(world.app, 'POST /api/orders/{id}/approve', { params: { id: waits.data.order_id } }, second);
    await startSending(sale.trader_id);
    expect((await approve()).json()).toMatchObject({ error: 'payment_on_its_way' });
    await age(sale.trader_id, '15 minutes');
    expect((await approve()).statusCode).toBe(200);
    expect(await ordersOf(sale.trader_id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('delays the archiving of its community', async () => {
    const trader = await world.addTrader();
    await world.owner('DELETE FROM exchange_account WHERE trader_id = $1', [trader.id]);
    const community = await addCommunity(world.owner, [trader.providerId]);
    await world.owner('UPDATE trader SET community_id = $2 WHERE id = $1', [trader.id, community]);
    await startSending(trader.id);
    const archive = () =>
      as('PATCH /api/super-admin/communities/{id}/archive', { params: { id: community }, query: {} });
    expect(await archive()).toMatchObject(ON_ITS_WAY);
    await age(trader.id, '15 minutes');
    expect((await archive()).status).toBe(200);
  });
});
