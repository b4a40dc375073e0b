import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WORKER } from '../../../../../../../tests/support/world/invoicing.ts';
import {
  createSellingWorld,
  type SellingWorld,
} from '../../../../../../../tests/support/world/selling-world.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { applyOpenPayments } from '../../../invoices/payments/payments.service.ts';
import { remindOfInvoices } from '../../../messages/reminders.jobs.ts';
import { expireSales } from './cancel-sales.ts';
import { orderPlan } from './order-plan.ts';

const DAY_MS = 86_400_000;

let world: SellingWorld;
beforeAll(async () => {
  world = await createSellingWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.beginDay());

describe('an order', () => {
  test('gets an address only after a worker with the seed has derived it', async () => {
    expect(await world.order()).toMatchObject({ status: 409, error: 'no_deposit_address' });
    await world.deriveAddresses();
    expect((await world.order()).status).toBe(201);
  });

  test('makes the buyer a pending trader, once, with an address of its own', async () => {
    const person = world.newPerson();
    const buyer = { telegram_user_id: person, telegram_username: 'ada', name: 'Ada Berg', language: 'pl' };
    const [first, second] = await Promise.all([world.order({ buyer }), world.order({ buyer })]);
    expect([first.status, second.status]).toEqual([201, 201]);
    const traders = await world.owner(
      'SELECT id, status, community_id, language, deposit_address FROM trader WHERE telegram_user_id = $1',
      [person],
    );
    expect(traders).toMatchObject([
      { id: first.data.trader_id, status: 'pending', community_id: world.communityId, language: 'pl' },
    ]);
    expect(first.data).toMatchObject({
      trader_name: 'Ada Berg',
      status: 'pending',
      plan_name: 'One month',
      price: '49',
      amount: '49',
      paid_amount: '0',
      coupon_code: null,
      access_until: null,
    });
    // What the buyer pays arrives at one address, so the later order takes the place of the earlier.
    const both = await world.ordersOf(first.data.trader_id);
    expect(both.map((sale: { status: string }) => sale.status).sort()).toEqual(['cancelled', 'pending']);
    expect(both.find(({ status }: { status: string }) => status === 'cancelled').cancelled_because).toBe(
      'buyer',
    );
    await world.sound();
  });

  test('is refused where the plan, the bot or the community does not sell', async () => {
    const refusal = async (sqlText: string, back: string) => {
      await world.owner(sqlText);
      const { status, error } = await world.order();
      await world.owner(back);
      return [status, error];
    };
    expect(
      await refusal(
        `UPDATE exchange_bot_plan SET is_active = false WHERE id = '${world.month}'`,
        `UPDATE exchange_bot_plan SET is_active = true WHERE id = '${world.month}'`,
      ),
    ).toEqual([409, 'plan_not_offered']);
    expect(
      await refusal('UPDATE exchange_bot SET is_active = false', 'UPDATE exchange_bot SET is_active = true'),
    ).toEqual([409, 'bot_switched_off']);
    expect(
      await refusal(
        `UPDATE exchange_bot_plan SET deleted_at = now() WHERE id = '${world.month}'`,
        `UPDATE exchange_bot_plan SET deleted_at = NULL WHERE id = '${world.month}'`,
      ),
    ).toEqual([404, 'not_found']);
    // A trader of another community.
    const [stranger] = await world.owner<{ id: string }>(
      'SELECT id FROM trader WHERE community_id <> $1 LIMIT 1',
      [world.communityId],
    );
    expect(await world.order({ trader_id: stranger?.id })).toMatchObject({ status: 404 });
    expect((await world.order({ trader_id: stranger?.id, buyer: { telegram_user_id: '1' } })).status).toBe(
      400,
    );
  });
});

describe('a payment', () => {
  test('in parts completes the order: access, and 85 to 15 for community and platform', async () => {
    const { data: sale } = await world.order();
    const { data: invoice } = await world.as('GET /api/invoices/{id}', { params: { id: sale.id } });
    expect(invoice.basis).toEqual({
      ...{ kind: 'order', days: 30, price: '49', discount: '0', unexplained: '0' },
    });
    await world.pay(sale.trader_id, usdt(20));
    expect((await world.ordersOf(sale.trader_id))[0]).toMatchObject({ status: 'pending', paid_amount: '20' });
    expect(await world.change(sale.id, 'cancelled')).toMatchObject({ status: 409, error: 'sale_part_paid' });
    expect(await world.coupon(sale.id, 'WELCOME10')).toMatchObject({ status: 409, error: 'sale_part_paid' });
    expect(await world.order({ trader_id: sale.trader_id })).toMatchObject({ error: 'sale_part_paid' });
    await world.pay(sale.trader_id, usdt(29));
    const [paid] = await world.ordersOf(sale.trader_id);
    expect(paid).toMatchObject({ status: 'paid', paid_amount: '49' });
    expect(Date.parse(paid.access_until) - Date.parse(paid.access_from)).toBe(30 * DAY_MS);
    expect(await world.payables(sale.id)).toEqual({
      community: (usdt(49) * 85n) / 100n,
      hexmount: (usdt(49) * 75n) / 1000n,
      sixk: (usdt(49) * 75n) / 1000n,
    });
    await world.sound();
  });

  test('above the amount leaves a tip, and a second order follows the first in time', async () => {
    const { data: sale } = await world.order();
    await world.pay(sale.trader_id, usdt(50));
    expect((await world.payables(sale.id)).tip).toBe(usdt(1));
    const [first] = await world.ordersOf(sale.trader_id);
    const again = await world.order({ trader_id: sale.trader_id });
    await world.pay(sale.trader_id, usdt(49));
    const second = (await world.ordersOf(sale.trader_id)).find(
      ({ id }: { id: string }) => id === again.data.id,
    );
    expect(second.access_from).toBe(first.access_until);
    await world.sound();
  });

  test('of an order pays the order while an invoice is open, and one of the invoice the invoice', async () => {
    const { data: sale } = await world.order();
    const [provider] = await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY id LIMIT 1');
    const buyer = { id: sale.trader_id as string, providerId: provider?.id ?? '' };
    const accountId = await world.addAccount(buyer);
    /** A new invoice of the buyer. @returns its amount */
    const owe = async (profit: string) => {
      await world.addPositions({ ...buyer, accountId }, profit);
      await world.invoice();
      return BigInt((await world.invoicesOf(buyer.id)).at(-1)?.amount ?? 0);
    };
    const states = async () =>
      (
        await world.owner<{ invoice_type: string; status: string }>(
          'SELECT invoice_type, status FROM invoice WHERE trader_id = $1 ORDER BY created_at',
          [buyer.id],
        )
      ).map(({ invoice_type, status }) => `${invoice_type} ${status}`);
    await world.pay(buyer.id, await owe('240'));
    expect(await states()).toEqual(['exchange_bot pending', 'regular paid']);
    const owed = await owe('200');
    await world.pay(buyer.id, usdt(49));
    expect(await states()).toEqual(['exchange_bot paid', 'regular paid', 'regular pending']);
    // Anything else pays what is owed before orders.
    await world.order({ trader_id: buyer.id });
    await world.pay(buyer.id, owed + usdt(1));
    expect((await states()).slice(2)).toEqual(['regular paid', 'exchange_bot pending']);
    await world.sound();
  });

  test('beyond an order is credit, which pays another only when its buyer orders', async () => {
    const { data: sale } = await world.order();
    await world.pay(sale.trader_id, usdt(100));
    await world.owner(
      `UPDATE payment SET received_at = received_at - interval '1 hour' WHERE trader_id = $1`,
      [sale.trader_id],
    );
    const again = await world.order({ trader_id: sale.trader_id });
    expect(again.data).toMatchObject({ status: 'pending', paid_amount: '0' });
    await world.change(again.data.id, 'cancelled');
    await world.db.write(WHOLE_SCOPE, WORKER, (tx) =>
      orderPlan(
        tx,
        {
          platformWeights: { hexmount: 1, sixk: 1 },
          communityPercentage: '85',
          now: new Date(),
          applyOpenPayments,
        },
        { plan_id: world.month, trader_id: sale.trader_id },
      ),
    );
    expect(
      (await world.ordersOf(sale.trader_id)).map(({ status }: { status: string }) => status).sort(),
    ).toEqual(['cancelled', 'paid', 'paid']);
    await world.sound();
  });

  test('that comes after the order has expired pays it, and ordering again finds it paid', async () => {
    const { data: sale } = await world.order();
    await world.owner('UPDATE exchange_bot_sale SET expires_at = now() WHERE invoice_id = $1', [sale.id]);
    await expireSales({ db: world.db, now: () => new Date() });
    await world.pay(sale.trader_id, usdt(49));
    expect(await world.ordersOf(sale.trader_id)).toMatchObject([
      { status: 'paid', cancelled_because: null, access_until: expect.any(String) },
    ]);
    expect((await world.order({ trader_id: sale.trader_id })).data).toMatchObject({
      id: sale.id,
      status: 'paid',
      paid_amount: '49',
    });
    await world.sound();
  });

  test('a person marks it as paid and takes that back: access comes and goes', async () => {
    const { data: sale } = await world.order();
    expect((await world.change(sale.id, 'paid')).data).toMatchObject({
      status: 'paid',
      access_until: expect.any(String),
    });
    expect(await world.payables(sale.id)).toEqual({});
    expect(await world.change(sale.id, 'cancelled')).toMatchObject({ status: 409, error: 'sale_settled' });
    expect((await world.change(sale.id, 'pending')).data).toMatchObject({
      status: 'pending',
      access_until: null,
    });
    expect((await world.change(sale.id, 'cancelled')).data).toMatchObject({
      status: 'cancelled',
      cancelled_because: 'staff',
    });
    expect(await world.change(sale.id, 'paid')).toMatchObject({ status: 409, error: 'invoice_cancelled' });
    await world.sound();
  });

  test('is not marked as unpaid while its buyer has another open order', async () => {
    const { data: first } = await world.order();
    expect((await world.change(first.id, 'paid')).status).toBe(200);
    const { data: second } = await world.order({ trader_id: first.trader_id });
    expect(await world.change(first.id, 'pending')).toMatchObject({ status: 409, error: 'other_order_open' });
    const detail = await world.as('GET /api/invoices/{id}', { params: { id: first.id } });
    expect(detail.data.unpaid_refusal).toBe('other_order_open');
    expect((await world.change(second.id, 'paid')).status).toBe(200);
    // Nor do two become open together.
    const both = { invoice_ids: [first.id, second.id], is_paid: false };
    const mark = (body: object) => world.as('PATCH /api/invoices/admin/status', { body });
    expect(await mark(both)).toMatchObject({ status: 409, error: 'other_order_open' });
    expect(await mark({ ...both, invoice_ids: [second.id] })).toMatchObject({ status: 200 });
    expect(
      (await world.ordersOf(first.trader_id)).map(({ status }: { status: string }) => status).sort(),
    ).toEqual(['paid', 'pending']);
    await world.sound();
  });
});

describe('an unpaid order', () => {
  test('expires after a day, one paid in part does not, and neither is a debt', async () => {
    const [{ data: unpaid }, { data: inPart }] = [await world.order(), await world.order()];
    await world.pay(inPart.trader_id, usdt(1));
    const later = new Date(Date.now() + DAY_MS + 60_000);
    const { overdue } = await remindOfInvoices({ db: world.db, now: () => later });
    const [{ messages }] = (await world.owner<{ messages: number }>(
      'SELECT count(*)::int AS messages FROM message WHERE trader_id = ANY ($1)',
      [[unpaid.trader_id, inPart.trader_id]],
    )) as [{ messages: number }];
    expect({ messages, overdue: overdue >= 0 }).toEqual({ messages: 0, overdue: true });
    const [{ suggested }] = (await world.owner<{ suggested: number }>(
      'SELECT count(*)::int AS suggested FROM trader WHERE suggested_delinquent_at IS NOT NULL AND id = ANY ($1)',
      [[unpaid.trader_id, inPart.trader_id]],
    )) as [{ suggested: number }];
    expect(suggested).toBe(0);
    await expireSales({ db: world.db, now: () => later });
    expect((await world.ordersOf(unpaid.trader_id))[0]).toMatchObject({
      status: 'cancelled',
      cancelled_because: 'expired',
    });
    expect((await world.ordersOf(inPart.trader_id))[0]).toMatchObject({ status: 'pending' });
    await world.sound();
  });
});

test('no other change of terms is possible, whatever the application does', async () => {
  const { data: sale } = await world.order();
  await world.pay(sale.trader_id, usdt(49));
  await expect(
    world.db.write({ kind: 'all' }, { kind: 'system', id: 'x', name: 'x' }, (tx) =>
      tx.sql.updateTable('invoice').set({ amount_units: '1' }).where('id', '=', sale.id).execute(),
    ),
  ).rejects.toThrow(/frozen/);
});

test('the lists and figures of a bot agree with its orders', async () => {
  const { data: discounted } = await world.order({ coupon_code: 'WELCOME10' });
  await world.pay(discounted.trader_id, usdt(441) / 10n);
  const [bot] = await world.owner<{ id: string }>('SELECT id FROM exchange_bot');
  const at = { params: { id: bot?.id ?? '' } };
  const [counted] = await world.owner<{ sold: number; amount: string; open: number; buyers: number }>(
    `SELECT count(*) FILTER (WHERE i.status = 'paid')::int AS sold,
       sum(i.amount_units) FILTER (WHERE i.status = 'paid')::text AS amount,
       count(*) FILTER (WHERE i.status = 'pending')::int AS open,
       count(DISTINCT i.trader_id) FILTER (WHERE i.status = 'paid')::int AS buyers
     FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id`,
  );
  const { data } = await world.as('GET /api/exchange-bot/{id}/sales/figures', { ...at, query: {} });
  expect(data.total.sold).toBe(counted?.sold);
  expect(data.subscribers).toBe(counted?.buyers);
  const units = (text: string) => Math.round(Number(text) * 100);
  for (const list of [data.days, data.plans])
    expect(list.reduce((sum: number, { amount }: { amount: string }) => sum + units(amount), 0)).toBe(
      units(data.total.amount),
    );
  expect(data.coupons.map(({ code }: { code: string }) => code)).toContain('WELCOME10');
  const open = await world.as('GET /api/exchange-bot/{id}/sales', {
    ...at,
    query: { status: 'pending', limit: '5' },
  });
  expect(open.meta.total).toBe(counted?.open);
  const subscribers = await world.as('GET /api/exchange-bot/{id}/subscribers', { ...at, query: {} });
  expect(subscribers.meta.total).toBe(counted?.buyers);
  expect(new Set(subscribers.data.map(({ trader_id }: { trader_id: string }) => trader_id)).size).toBe(
    subscribers.data.length,
  );
});

test('an order that was paid in part is not ended by the login of the API without an order of a person', async () => {
  const { data: sale } = await world.order();
  await world.pay(sale.trader_id, usdt(20));
  const attempt = world.db.write(WHOLE_SCOPE, WORKER, async (tx) => {
    await sql`SELECT app.end_part_paid_order(${sale.id})`.execute(tx.sql);
  });
  await expect(attempt).rejects.toThrow(/order of a person/);
});

test('the list of bots says of each what its own page says', async () => {
  const { data } = await world.order();
  expect((await world.change(data.id, 'paid')).status).toBe(200);
  expect((await world.order()).status).toBe(201);
  const listed: CallAnswer<'GET /api/exchange-bots'>['data'] = (await world.as('GET /api/exchange-bots'))
    .data;
  const all = await world.owner<{ id: string }>('SELECT id FROM exchange_bot ORDER BY id');
  expect(listed.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id));
  for (const {
    community,
    is_archived,
    sold,
    sold_amount,
    subscribers,
    open_orders,
    failed_messages,
    ...bot
  } of listed) {
    const of = { params: { id: bot.id } };
    expect((await world.as('GET /api/exchange-bot/{id}', of)).data).toEqual(bot);
    const figures = (await world.as('GET /api/exchange-bot/{id}/sales/figures', { ...of, query: {} })).data;
    expect({ sold, amount: sold_amount }).toEqual(figures.total);
    expect(subscribers).toBe(figures.subscribers);
    const pending = await world.as('GET /api/exchange-bot/{id}/sales', {
      ...of,
      query: { status: 'pending' },
    });
    expect(open_orders).toBe(pending.meta.total);
    const failed = await world.as('GET /api/exchange-bot/{id}/messages', {
      ...of,
      query: { state: 'failed' },
    });
    expect(failed_messages).toBe(failed.meta.total);
    const [row] = await world.owner('SELECT name, is_archived FROM community WHERE id = $1', [
      bot.community_id,
    ]);
    expect({ name: community, is_archived }).toEqual(row);
  }
  expect(
    Math.max(...listed.map((bot) => Math.min(bot.sold, bot.open_orders, bot.subscribers))),
  ).toBeGreaterThan(0);
});
