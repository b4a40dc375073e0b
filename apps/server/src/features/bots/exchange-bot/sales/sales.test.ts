import { randomBytes, randomUUID } from 'node:crypto';
import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patiently } from '../../../../../../../tests/support/patiently.ts';
import { send } from '../../../../../../../tests/support/send.ts';
import { deriveAll } from '../../../../../../../tests/support/world/derive-all.ts';
import { WORKER } from '../../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';
import { accountKeyOf } from '../../../../integrations/chain/account-key.ts';
import { createWalletKeys } from '../../../../integrations/chain/wallet-keys.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { applyOpenPayments } from '../../../invoices/payments/payments.service.ts';
import { remindOfInvoices } from '../../../messages/reminders.jobs.ts';
import { expireSales } from './cancel-sales.ts';
import { saleDiscountedAct } from './coupon-use.ts';
import { orderPlan } from './order-plan.ts';

const seed = randomBytes(32);
const accountKey = accountKeyOf(seed);
const DAY_MS = 86_400_000;

let world: InvoicingWorld;
let superAdmin: string;
let communityId: string;
let month: string;
let year: string;
beforeAll(async () => {
  world = await createInvoicingWorld({ env: { DEPOSIT_ACCOUNT_KEY: accountKey } });
  superAdmin = await world.signIn('super');
  const [plan] = await world.owner<{ id: string; community_id: string }>(
    `SELECT p.id, b.community_id FROM exchange_bot_plan p JOIN exchange_bot b ON b.id = p.bot_id
     WHERE p.name = 'One month'`,
  );
  const [longer] = await world.owner<{ id: string }>(
    "SELECT id FROM exchange_bot_plan WHERE name = 'One year'",
  );
  communityId = plan?.community_id ?? '';
  month = plan?.id ?? '';
  year = longer?.id ?? '';
});
afterAll(() => world?.close());
// The sums of a day begin anew with each test.
beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

async function as(call: string, parts: Parameters<typeof send>[2] = {}, token = superAdmin) {
  const answer = await send(world.app, call, parts, token);
  const { data, error, message, meta } = answer.json();
  return { status: answer.statusCode, data, error, message, meta };
}
let lastPerson = 700_000_000;
const newPerson = () => {
  lastPerson += 1;
  return String(lastPerson);
};
const order = (changes: Record<string, unknown> = {}) =>
  as('POST /api/exchange-bot/invoices', {
    body: {
      plan_id: month,
      ...('trader_id' in changes ? {} : { buyer: { telegram_user_id: newPerson(), name: 'Ada Berg' } }),
      ...changes,
    },
  });
const change = (id: string, status: string) =>
  as('PATCH /api/exchange-bot/invoices/{id}/status', { params: { id }, body: { status } });
const coupon = (id: string, code: string) =>
  as('POST /api/exchange-bot/invoices/{id}/apply-coupon', { params: { id }, body: { coupon_code: code } });
const ordersOf = async (trader: string) =>
  (await as('GET /api/exchange-bot/invoices/user/{id}', { params: { id: trader }, query: {} })).data;
const payables = async (id: string) =>
  Object.fromEntries(
    (
      await world.owner<{ type: string; units: string }>(
        'SELECT recipient_type AS type, amount_units::text AS units FROM payable WHERE invoice_id = $1',
        [id],
      )
    ).map(({ type, units }) => [type, BigInt(units)]),
  );
const sound = async () => expect(await findUnsound(world)).toEqual({});
async function newCoupon(terms: Record<string, unknown>) {
  const code = `T${randomUUID().slice(0, 8).toUpperCase()}`;
  const [bot] = await world.owner<{ id: string }>('SELECT id FROM exchange_bot');
  const added = await as('POST /api/exchange-bot/{id}/coupons', {
    params: { id: bot?.id ?? '' },
    body: { code, ...terms },
  });
  expect(added.status).toBe(201);
  return code;
}

describe('an order', () => {
  test('gets an address only after a worker with the seed has derived it', async () => {
    expect(await order()).toMatchObject({ status: 409, error: 'no_deposit_address' });
    await deriveAll({ db: world.db, keys: createWalletKeys(seed) });
    expect((await order()).status).toBe(201);
  });

  test('makes the buyer a pending trader, once, with an address of its own', async () => {
    const person = newPerson();
    const buyer = { telegram_user_id: person, telegram_username: 'ada', name: 'Ada Berg', language: 'pl' };
    const [first, second] = await Promise.all([order({ buyer }), order({ buyer })]);
    expect([first.status, second.status]).toEqual([201, 201]);
    const traders = await world.owner(
      'SELECT id, status, community_id, language, deposit_address FROM trader WHERE telegram_user_id = $1',
      [person],
    );
    expect(traders).toMatchObject([
      { id: first.data.trader_id, status: 'pending', community_id: communityId, language: 'pl' },
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
    const both = await ordersOf(first.data.trader_id);
    expect(both.map((sale: { status: string }) => sale.status).sort()).toEqual(['cancelled', 'pending']);
    expect(both.find(({ status }: { status: string }) => status === 'cancelled').cancelled_because).toBe(
      'buyer',
    );
    await sound();
  });

  test('is refused where the plan, the bot or the community does not sell', async () => {
    const refusal = async (sqlText: string, back: string) => {
      await world.owner(sqlText);
      const { status, error } = await order();
      await world.owner(back);
      return [status, error];
    };
    expect(
      await refusal(
        `UPDATE exchange_bot_plan SET is_active = false WHERE id = '${month}'`,
        `UPDATE exchange_bot_plan SET is_active = true WHERE id = '${month}'`,
      ),
    ).toEqual([409, 'plan_not_offered']);
    expect(
      await refusal('UPDATE exchange_bot SET is_active = false', 'UPDATE exchange_bot SET is_active = true'),
    ).toEqual([409, 'bot_switched_off']);
    expect(
      await refusal(
        `UPDATE exchange_bot_plan SET deleted_at = now() WHERE id = '${month}'`,
        `UPDATE exchange_bot_plan SET deleted_at = NULL WHERE id = '${month}'`,
      ),
    ).toEqual([404, 'not_found']);
    // A trader of another community.
    const [stranger] = await world.owner<{ id: string }>(
      'SELECT id FROM trader WHERE community_id <> $1 LIMIT 1',
      [communityId],
    );
    expect(await order({ trader_id: stranger?.id })).toMatchObject({ status: 404 });
    expect((await order({ trader_id: stranger?.id, buyer: { telegram_user_id: '1' } })).status).toBe(400);
  });
});

describe('a payment', () => {
  test('in parts completes the order: access, and 85 to 15 for community and platform', async () => {
    const { data: sale } = await order();
    await world.pay(sale.trader_id, usdt(20));
    expect((await ordersOf(sale.trader_id))[0]).toMatchObject({ status: 'pending', paid_amount: '20' });
    expect(await change(sale.id, 'cancelled')).toMatchObject({ status: 409, error: 'sale_part_paid' });
    expect(await coupon(sale.id, 'WELCOME10')).toMatchObject({ status: 409, error: 'sale_part_paid' });
    expect(await order({ trader_id: sale.trader_id })).toMatchObject({ error: 'sale_part_paid' });
    await world.pay(sale.trader_id, usdt(29));
    const [paid] = await ordersOf(sale.trader_id);
    expect(paid).toMatchObject({ status: 'paid', paid_amount: '49' });
    expect(Date.parse(paid.access_until) - Date.parse(paid.access_from)).toBe(30 * DAY_MS);
    expect(await payables(sale.id)).toEqual({
      community: (usdt(49) * 85n) / 100n,
      hexmount: (usdt(49) * 75n) / 1000n,
      sixk: (usdt(49) * 75n) / 1000n,
    });
    await sound();
  });

  test('above the amount leaves a tip, and a second order follows the first in time', async () => {
    const { data: sale } = await order();
    await world.pay(sale.trader_id, usdt(50));
    expect((await payables(sale.id)).tip).toBe(usdt(1));
    const [first] = await ordersOf(sale.trader_id);
    const again = await order({ trader_id: sale.trader_id });
    await world.pay(sale.trader_id, usdt(49));
    const second = (await ordersOf(sale.trader_id)).find(({ id }: { id: string }) => id === again.data.id);
    expect(second.access_from).toBe(first.access_until);
    await sound();
  });

  test('of an order pays the order while an invoice is open, and one of the invoice the invoice', async () => {
    const { data: sale } = await order();
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
    await order({ trader_id: buyer.id });
    await world.pay(buyer.id, owed + usdt(1));
    expect((await states()).slice(2)).toEqual(['regular paid', 'exchange_bot pending']);
    await sound();
  });

  test('beyond an order is credit, which pays another only when its buyer orders', async () => {
    const { data: sale } = await order();
    await world.pay(sale.trader_id, usdt(100));
    await world.owner(
      `UPDATE payment SET received_at = received_at - interval '1 hour' WHERE trader_id = $1`,
      [sale.trader_id],
    );
    const again = await order({ trader_id: sale.trader_id });
    expect(again.data).toMatchObject({ status: 'pending', paid_amount: '0' });
    await change(again.data.id, 'cancelled');
    await world.db.write(WHOLE_SCOPE, WORKER, (tx) =>
      orderPlan(
        tx,
        {
          platformWeights: { hexmount: 1, sixk: 1 },
          communityPercentage: '85',
          now: new Date(),
          applyOpenPayments,
        },
        { plan_id: month, trader_id: sale.trader_id },
      ),
    );
    expect((await ordersOf(sale.trader_id)).map(({ status }: { status: string }) => status).sort()).toEqual([
      'cancelled',
      'paid',
      'paid',
    ]);
    await sound();
  });

  test('that comes after the order has expired pays it, and ordering again finds it paid', async () => {
    const { data: sale } = await order();
    await world.owner('UPDATE exchange_bot_sale SET expires_at = now() WHERE invoice_id = $1', [sale.id]);
    await expireSales({ db: world.db, now: () => new Date() });
    await world.pay(sale.trader_id, usdt(49));
    expect(await ordersOf(sale.trader_id)).toMatchObject([
      { status: 'paid', cancelled_because: null, access_until: expect.any(String) },
    ]);
    expect((await order({ trader_id: sale.trader_id })).data).toMatchObject({
      id: sale.id,
      status: 'paid',
      paid_amount: '49',
    });
    await sound();
  });

  test('a person marks it as paid and takes that back: access comes and goes', async () => {
    const { data: sale } = await order();
    expect((await change(sale.id, 'paid')).data).toMatchObject({
      status: 'paid',
      access_until: expect.any(String),
    });
    expect(await payables(sale.id)).toEqual({});
    expect(await change(sale.id, 'cancelled')).toMatchObject({ status: 409, error: 'sale_settled' });
    expect((await change(sale.id, 'pending')).data).toMatchObject({ status: 'pending', access_until: null });
    expect((await change(sale.id, 'cancelled')).data).toMatchObject({
      status: 'cancelled',
      cancelled_because: 'staff',
    });
    expect(await change(sale.id, 'paid')).toMatchObject({ status: 409, error: 'invoice_cancelled' });
    await sound();
  });

  test('is not marked as unpaid while its buyer has another open order', async () => {
    const { data: first } = await order();
    expect((await change(first.id, 'paid')).status).toBe(200);
    const { data: second } = await order({ trader_id: first.trader_id });
    expect(await change(first.id, 'pending')).toMatchObject({ status: 409, error: 'other_order_open' });
    const detail = await as('GET /api/invoices/{id}', { params: { id: first.id } });
    expect(detail.data.unpaid_refusal).toBe('other_order_open');
    expect((await change(second.id, 'paid')).status).toBe(200);
    // Nor do two become open together.
    const both = { invoice_ids: [first.id, second.id], is_paid: false };
    const mark = (body: object) => as('PATCH /api/invoices/admin/status', { body });
    expect(await mark(both)).toMatchObject({ status: 409, error: 'other_order_open' });
    expect(await mark({ ...both, invoice_ids: [second.id] })).toMatchObject({ status: 200 });
    expect((await ordersOf(first.trader_id)).map(({ status }: { status: string }) => status).sort()).toEqual([
      'paid',
      'pending',
    ]);
    await sound();
  });
});

describe('an unpaid order', () => {
  test('expires after a day, one paid in part does not, and neither is a debt', async () => {
    const [{ data: unpaid }, { data: inPart }] = [await order(), await order()];
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
    expect((await ordersOf(unpaid.trader_id))[0]).toMatchObject({
      status: 'cancelled',
      cancelled_because: 'expired',
    });
    expect((await ordersOf(inPart.trader_id))[0]).toMatchObject({ status: 'pending' });
    await sound();
  });
});

describe('a coupon', () => {
  test('lowers an open order once, and its share of everyone', async () => {
    const { data: sale } = await order({ plan_id: year });
    expect((await coupon(sale.id, ' welcome10 ')).data).toMatchObject({
      price: '449',
      amount: '404.1',
      coupon_code: 'WELCOME10',
    });
    expect(await coupon(sale.id, 'WELCOME10')).toMatchObject({ status: 409, error: 'coupon_applied' });
    await world.pay(sale.trader_id, (usdt(4041) * 1n) / 10n);
    expect((await ordersOf(sale.trader_id))[0]).toMatchObject({ status: 'paid' });
    expect((await payables(sale.id)).community).toBe((usdt(4041) * 85n) / 1000n);
    await sound();
  });

  test('by a person is a write-off: above the limit of a day it waits, as it was seen', async () => {
    const code = await newCoupon({ percent: 99 });
    await world.owner(`UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1`, [
      year,
      usdt(900).toString(),
    ]);
    const sales = [];
    for (let n = 0; n < 4; n += 1) sales.push((await order({ plan_id: year })).data);
    const [first, second, third, fourth] = sales;
    await world.owner(`UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1`, [
      year,
      usdt(449).toString(),
    ]);
    expect(await coupon(first.id, code)).toMatchObject({ status: 200, data: { amount: '9' } });
    // 891 of 1,000 are given up: two at once do not both fit, and nothing is changed for either.
    for (const sale of [second, third])
      expect(await coupon(sale.id, code)).toMatchObject({ status: 422, error: 'write_off_reason_required' });
    const asked = await Promise.all(
      [second, third].map(({ id }) =>
        as('POST /api/exchange-bot/invoices/{id}/apply-coupon', {
          params: { id },
          body: { coupon_code: code, reason: 'A partner' },
        }),
      ),
    );
    for (const answer of asked)
      expect(answer).toMatchObject({ status: 202, data: { state: 'awaiting_approval' } });
    expect((await ordersOf(second.trader_id))[0]).toMatchObject({
      amount: '900',
      coupon_code: null,
      is_awaiting_approval: true,
    });
    expect(await coupon(second.id, code)).toMatchObject({ status: 409, error: 'order_waits' });
    // Cancelling what is left counts beside the discount, and another act waits as well.
    expect(await change(fourth.id, 'cancelled')).toMatchObject({ error: 'write_off_reason_required' });

    const other = await world.signIn('super-2');
    const approve = (id: string) => as('POST /api/orders/{id}/approve', { params: { id } }, other);
    expect((await approve(asked[0]?.data.order_id)).data).toMatchObject({ state: 'approved' });
    expect((await ordersOf(second.trader_id))[0]).toMatchObject({ amount: '9', coupon_code: code });
    // Its buyer paid meanwhile.
    await world.pay(third.trader_id, usdt(1));
    expect(await approve(asked[1]?.data.order_id)).toMatchObject({ status: 409, error: 'order_changed' });
    expect((await ordersOf(third.trader_id))[0]).toMatchObject({ amount: '900', coupon_code: null });
    await sound();
  });

  test('lowers nothing for the login of the API without such an order', async () => {
    const { data: sale } = await order({ plan_id: year });
    const lower = (steps: string) =>
      world.owner(
        `SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${steps}
         UPDATE invoice SET amount_units = 1 WHERE id = '${sale.id}'`,
      );
    await expect(lower('')).rejects.toThrow('what is owed is lowered by an order');
    // Of less than what is taken.
    await expect(
      lower(`INSERT INTO money_order (act, state, needs, amount_units, facts, requested_by_id, requested_by)
          SELECT 'sale_discounted', 'approved', '{}', 5, '{}', id::text, 'x' FROM identity.person
          WHERE email = 'super@demo.example';
        INSERT INTO money_order_line (order_id, place, subject_id, label, amount_units)
          SELECT id, 1, '${sale.id}', 'x', 5 FROM money_order WHERE requested_at = now();`),
    ).rejects.toThrow('what is owed is lowered by an order');
  });

  test('ends for an order that waits by the clock that approving is given', async () => {
    const endsAt = Date.now() + DAY_MS;
    const code = await newCoupon({ percent: 10, ends_at: new Date(endsAt).toISOString() });
    const { data: sale } = await order();
    const line = { subjectId: sale.id, label: '', toAddress: null, units: null };
    const waiting = { seen: { lines: [line], facts: { coupon: code, reason: 'A partner' } } } as never;
    const presentAt = (ms: number) => {
      const act = saleDiscountedAct(
        () => ({}) as never,
        () => new Date(ms),
      );
      return world.db.write(WHOLE_SCOPE, WORKER, (tx) => act.present(tx, waiting));
    };
    expect(await presentAt(endsAt - 60_000)).not.toBeNull();
    expect(await presentAt(endsAt + 60_000)).toBeNull();
  });

  test('is refused with its reason', async () => {
    const { data: sale } = await order();
    expect(await coupon(sale.id, 'NONE')).toMatchObject({ status: 404, error: 'coupon_unknown' });
    expect(await coupon(sale.id, 'LAUNCH')).toMatchObject({
      error: 'coupon_refused',
      message: /no longer valid/,
    });
    expect(await coupon(sale.id, 'YEAR50')).toMatchObject({
      error: 'coupon_refused',
      message: /other plans/,
    });
  });

  test('a cancelled order gives its use back', async () => {
    const code = await newCoupon({ percent: 10, max_uses: 1 });
    const { data: first } = await order({ coupon_code: code });
    expect(first).toMatchObject({ amount: '44.1', coupon_code: code });
    expect(await order({ coupon_code: code })).toMatchObject({ error: 'coupon_refused', message: /used up/ });
    await change(first.id, 'cancelled');
    expect((await order({ coupon_code: code })).status).toBe(201);
  });

  test('of 200 orders at once, no more than its limit use it', async () => {
    const code = await newCoupon({ percent: 50, max_uses: 17, max_uses_per_user: 1 });
    const open = await Promise.all(Array.from({ length: 100 }, () => patiently(() => order())));
    const tried = await Promise.all([
      ...open.map(({ data }) => patiently(() => coupon(data.id, code))),
      ...Array.from({ length: 100 }, () => patiently(() => order({ coupon_code: code }))),
    ]);
    expect(tried.filter(({ status }) => status < 300)).toHaveLength(17);
    expect(new Set(tried.filter(({ status }) => status >= 300).map(({ error }) => error))).toEqual(
      new Set(['coupon_refused']),
    );
    const [{ uses }] = (await world.owner<{ uses: number }>(
      `SELECT count(*)::int AS uses FROM exchange_bot_sale s JOIN exchange_bot_coupon c ON c.id = s.coupon_id
       WHERE c.code = $1`,
      [code],
    )) as [{ uses: number }];
    expect(uses).toBe(17);
    await sound();
  }, 120_000);
});

test('no other change of terms is possible, whatever the application does', async () => {
  const { data: sale } = await order();
  await world.pay(sale.trader_id, usdt(49));
  await expect(
    world.db.write({ kind: 'all' }, { kind: 'system', id: 'x', name: 'x' }, (tx) =>
      tx.sql.updateTable('invoice').set({ amount_units: '1' }).where('id', '=', sale.id).execute(),
    ),
  ).rejects.toThrow(/frozen/);
});

test('the lists and figures of a bot agree with its orders', async () => {
  const [bot] = await world.owner<{ id: string }>('SELECT id FROM exchange_bot');
  const at = { params: { id: bot?.id ?? '' } };
  const [counted] = await world.owner<{ sold: number; amount: string; open: number; buyers: number }>(
    `SELECT count(*) FILTER (WHERE i.status = 'paid')::int AS sold,
       sum(i.amount_units) FILTER (WHERE i.status = 'paid')::text AS amount,
       count(*) FILTER (WHERE i.status = 'pending')::int AS open,
       count(DISTINCT i.trader_id) FILTER (WHERE i.status = 'paid')::int AS buyers
     FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id`,
  );
  const { data } = await as('GET /api/exchange-bot/{id}/sales/figures', { ...at, query: {} });
  expect(data.total.sold).toBe(counted?.sold);
  expect(data.subscribers).toBe(counted?.buyers);
  const units = (text: string) => Math.round(Number(text) * 100);
  for (const list of [data.days, data.plans])
    expect(list.reduce((sum: number, { amount }: { amount: string }) => sum + units(amount), 0)).toBe(
      units(data.total.amount),
    );
  expect(data.coupons.map(({ code }: { code: string }) => code)).toContain('WELCOME10');
  const open = await as('GET /api/exchange-bot/{id}/sales', {
    ...at,
    query: { status: 'pending', limit: '5' },
  });
  expect(open.meta.total).toBe(counted?.open);
  const subscribers = await as('GET /api/exchange-bot/{id}/subscribers', { ...at, query: {} });
  expect(subscribers.meta.total).toBe(counted?.buyers);
  expect(new Set(subscribers.data.map(({ trader_id }: { trader_id: string }) => trader_id)).size).toBe(
    subscribers.data.length,
  );
});

test('an order keeps the split that counted when it was made, also after a coupon', async () => {
  const before = (await order()).data;
  expect(before.community_percentage).toBe('85');
  try {
    await world.owner(
      `INSERT INTO platform_setting (name, value, changed_at, changed_by)
       VALUES ('bot_community_percentage', '"70.5"', now(), 'test')`,
    );
    const after = (await order()).data;
    expect(after.community_percentage).toBe('70.5');
    expect((await coupon(before.id, 'WELCOME10')).data.community_percentage).toBe('85');
    const shares = await world.owner<{ id: string; share: string }>(
      `SELECT i.id, trim_scale((part->>'units')::numeric * 100 / i.amount_units)::text AS share
       FROM invoice i CROSS JOIN LATERAL jsonb_array_elements(i.split) part
       WHERE i.id = ANY ($1) AND part->>'recipient_type' = 'community' ORDER BY i.created_at`,
      [[before.id, after.id]],
    );
    expect(shares).toEqual([
      { id: before.id, share: '85' },
      { id: after.id, share: '70.5' },
    ]);
  } finally {
    await world.owner("DELETE FROM platform_setting WHERE name = 'bot_community_percentage'");
  }
});

test('an order that was paid in part is not ended by the login of the API without an order of a person', async () => {
  const { data: sale } = await order();
  await world.pay(sale.trader_id, usdt(20));
  const attempt = world.db.write(WHOLE_SCOPE, WORKER, async (tx) => {
    await sql`SELECT app.end_part_paid_order(${sale.id})`.execute(tx.sql);
  });
  await expect(attempt).rejects.toThrow(/order of a person/);
});

test('the list of bots says of each what its own page says', async () => {
  const { data } = await order();
  expect((await change(data.id, 'paid')).status).toBe(200);
  expect((await order()).status).toBe(201);
  const listed: CallAnswer<'GET /api/exchange-bots'>['data'] = (await as('GET /api/exchange-bots')).data;
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
    expect((await as('GET /api/exchange-bot/{id}', of)).data).toEqual(bot);
    const figures = (await as('GET /api/exchange-bot/{id}/sales/figures', { ...of, query: {} })).data;
    expect({ sold, amount: sold_amount }).toEqual(figures.total);
    expect(subscribers).toBe(figures.subscribers);
    const pending = await as('GET /api/exchange-bot/{id}/sales', { ...of, query: { status: 'pending' } });
    expect(open_orders).toBe(pending.meta.total);
    const failed = await as('GET /api/exchange-bot/{id}/messages', { ...of, query: { state: 'failed' } });
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
