import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patiently } from '../../../../../../../tests/support/patiently.ts';
import { WORKER } from '../../../../../../../tests/support/world/invoicing.ts';
import {
  createSellingWorld,
  type SellingWorld,
} from '../../../../../../../tests/support/world/selling-world.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { saleDiscountedAct } from './coupon-use.ts';

const DAY_MS = 86_400_000;

let world: SellingWorld;
beforeAll(async () => {
  world = await createSellingWorld();
  await world.deriveAddresses();
});
afterAll(() => world?.close());
beforeEach(() => world.beginDay());

describe('a coupon', () => {
  test('lowers an open order once, and its share of everyone', async () => {
    const { data: sale } = await world.order({ plan_id: world.year });
    expect((await world.coupon(sale.id, ' welcome10 ')).data).toMatchObject({
      price: '449',
      amount: '404.1',
      coupon_code: 'WELCOME10',
    });
    expect(await world.coupon(sale.id, 'WELCOME10')).toMatchObject({ status: 409, error: 'coupon_applied' });
    await world.pay(sale.trader_id, (usdt(4041) * 1n) / 10n);
    expect((await world.ordersOf(sale.trader_id))[0]).toMatchObject({ status: 'paid' });
    expect((await world.payables(sale.id)).community).toBe((usdt(4041) * 85n) / 1000n);
    await world.sound();
  });

  test('by a person is a write-off: above the limit of a day it waits, as it was seen', async () => {
    const code = await world.newCoupon({ percent: 99 });
    await world.owner(`UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1`, [
      world.year,
      usdt(900).toString(),
    ]);
    const sales = [];
    for (let n = 0; n < 4; n += 1) sales.push((await world.order({ plan_id: world.year })).data);
    const [first, second, third, fourth] = sales;
    await world.owner(`UPDATE exchange_bot_plan SET amount_units = $2 WHERE id = $1`, [
      world.year,
      usdt(449).toString(),
    ]);
    expect(await world.coupon(first.id, code)).toMatchObject({ status: 200, data: { amount: '9' } });
    // 891 of 1,000 are given up: two at once do not both fit, and nothing is changed for either.
    for (const sale of [second, third])
      expect(await world.coupon(sale.id, code)).toMatchObject({
        status: 422,
        error: 'write_off_reason_required',
      });
    const asked = await Promise.all(
      [second, third].map(({ id }) =>
        world.as('POST /api/exchange-bot/invoices/{id}/apply-coupon', {
          params: { id },
          body: { coupon_code: code, reason: 'A partner' },
        }),
      ),
    );
    for (const answer of asked)
      expect(answer).toMatchObject({ status: 202, data: { state: 'awaiting_approval' } });
    expect((await world.ordersOf(second.trader_id))[0]).toMatchObject({
      amount: '900',
      coupon_code: null,
      is_awaiting_approval: true,
    });
    expect(await world.coupon(second.id, code)).toMatchObject({ status: 409, error: 'order_waits' });
    // Cancelling what is left counts beside the discount, and another act waits as well.
    expect(await world.change(fourth.id, 'cancelled')).toMatchObject({ error: 'write_off_reason_required' });

    const other = await world.signIn('super-2');
    const approve = (id: string) => world.as('POST /api/orders/{id}/approve', { params: { id } }, other);
    expect((await approve(asked[0]?.data.order_id)).data).toMatchObject({ state: 'approved' });
    expect((await world.ordersOf(second.trader_id))[0]).toMatchObject({ amount: '9', coupon_code: code });
    // Its buyer paid meanwhile.
    await world.pay(third.trader_id, usdt(1));
    expect(await approve(asked[1]?.data.order_id)).toMatchObject({ status: 409, error: 'order_changed' });
    expect((await world.ordersOf(third.trader_id))[0]).toMatchObject({ amount: '900', coupon_code: null });
    await world.sound();
  });

  test('lowers nothing for the login of the API without such an order', async () => {
    const { data: sale } = await world.order({ plan_id: world.year });
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
    const code = await world.newCoupon({ percent: 10, ends_at: new Date(endsAt).toISOString() });
    const { data: sale } = await world.order();
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
    const { data: sale } = await world.order();
    expect(await world.coupon(sale.id, 'NONE')).toMatchObject({ status: 404, error: 'coupon_unknown' });
    expect(await world.coupon(sale.id, 'LAUNCH')).toMatchObject({
      error: 'coupon_refused',
      message: /no longer valid/,
    });
    expect(await world.coupon(sale.id, 'YEAR50')).toMatchObject({
      error: 'coupon_refused',
      message: /other plans/,
    });
  });

  test('a cancelled order gives its use back', async () => {
    const code = await world.newCoupon({ percent: 10, max_uses: 1 });
    const { data: first } = await world.order({ coupon_code: code });
    expect(first).toMatchObject({ amount: '44.1', coupon_code: code });
    expect(await world.order({ coupon_code: code })).toMatchObject({
      error: 'coupon_refused',
      message: /used up/,
    });
    await world.change(first.id, 'cancelled');
    expect((await world.order({ coupon_code: code })).status).toBe(201);
  });

  test('of 200 orders at once, no more than its limit use it', async () => {
    const code = await world.newCoupon({ percent: 50, max_uses: 17, max_uses_per_user: 1 });
    const open = await Promise.all(Array.from({ length: 100 }, () => patiently(() => world.order())));
    const tried = await Promise.all([
      ...open.map(({ data }) => patiently(() => world.coupon(data.id, code))),
      ...Array.from({ length: 100 }, () => patiently(() => world.order({ coupon_code: code }))),
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
    await world.sound();
  }, 120_000);
});

test('an order keeps the split that counted when it was made, also after a coupon', async () => {
  const before = (await world.order()).data;
  expect(before.community_percentage).toBe('85');
  try {
    await world.owner(
      `INSERT INTO platform_setting (name, value, changed_at, changed_by)
       VALUES ('bot_community_percentage', '"70.5"', now(), 'test')`,
    );
    const after = (await world.order()).data;
    expect(after.community_percentage).toBe('70.5');
    expect((await world.coupon(before.id, 'WELCOME10')).data.community_percentage).toBe('85');
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
