import type { Call, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: InvoicingWorld;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  world = await createInvoicingWorld();
  for (const persona of ['super', 'staff'] as const) tokens[persona] = await world.signIn(persona);
});
afterAll(() => world.close());

const call = async <K extends Call>(key: K, input: CallInput<K>, as = 'super') => {
  const answer = await send(world.app, key, input, tokens[as]);
  return { status: answer.statusCode, body: answer.json() };
};
const mark = (id: string | undefined, is_paid: boolean) =>
  call('PATCH /api/invoices/{id}/status', { params: { id: id ?? '' }, body: { is_paid } });

async function traderOwing(...amounts: number[]) {
  const trader = await world.addTrader();
  for (const amount of amounts) {
    await world.addPositions(trader, String(2 * amount));
    await world.invoice();
  }
  return { ...trader, ids: (await world.invoicesOf(trader.id)).map(({ id }) => id) };
}

describe('marked as unpaid', () => {
  test('money received earlier pays a new invoice', async () => {
    const { id, ids } = await traderOwing(10);
    await mark(ids[0], true);
    await world.pay(id, usdt(11));
    expect((await mark(ids[0], false)).body.data).toMatchObject({ is_paid: true, paid_amount: '11' });
    expect(await world.owner('SELECT FROM payment WHERE trader_id = $1 AND open_units > 0', [id])).toEqual(
      [],
    );
    expect((await world.invoicesOf(id)).map(({ settled_by }) => settled_by)).toEqual(['chain']);
    expect(await findUnsound(world)).toEqual({});
  });

  test('one invoice does not retract the notice of another', async () => {
    const { id, ids } = await traderOwing(10, 20);
    await world.pay(id, usdt(10));
    await mark(ids[1], true);
    await mark(ids[1], false);
    expect(
      await world.owner(`SELECT invoice_id FROM message WHERE trader_id = $1 AND kind = 'invoice_paid'`, [
        id,
      ]),
    ).toEqual([{ invoice_id: ids[0] }]);
  });
});

test('staff whose provider no longer sees the trader see none of its invoices', async () => {
  const mine = (await call('GET /api/me', {}, 'staff')).body.data.providers[0].id;
  const [other] = await world.owner<{ id: string }>('SELECT id FROM provider WHERE id <> $1 LIMIT 1', [mine]);
  const trader = await world.addTrader({ selected_provider_id: mine });
  await world.addPositions(trader, '20');
  await world.invoice();
  const [{ id } = { id: '' }] = await world.invoicesOf(trader.id);
  const seen = async () => [
    (await call('GET /api/invoices/{id}', { params: { id } }, 'staff')).status,
    (await call('GET /api/invoices/{id}/positions', { params: { id }, query: {} }, 'staff')).status,
    (await call('GET /api/messages', { query: { trader_id: trader.id } }, 'staff')).body.meta.total,
    (await call('GET /api/messages', { query: { invoice_id: id } }, 'staff')).body.data.length,
  ];
  expect(await seen()).toEqual([200, 200, 1, 1]);
  await world.owner('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [trader.id, other?.id]);
  await world.owner('UPDATE exchange_account SET provider_id = $2 WHERE id = $1', [
    trader.accountId,
    other?.id,
  ]);
  expect(await seen()).toEqual([404, 404, 0, 0]);
});

test('every invoice that a payment changed has an entry, and so has the address that a trader was given', async () => {
  const { id, ids } = await traderOwing(10, 20);
  await world.pay(id, usdt(15));
  const entries = (target: string, action: string) =>
    world.owner('SELECT before, after FROM audit_entry WHERE target_id = $1 AND action = $2', [
      target,
      action,
    ]);
  expect(await entries(ids[0] ?? '', 'invoice.paid')).toEqual([
    {
      before: { status: 'pending', paid_units: '0' },
      after: { status: 'paid', paid_units: usdt(10).toString() },
    },
  ]);
  expect(await entries(ids[1] ?? '', 'invoice.paid')).toMatchObject([
    { after: { status: 'pending', paid_units: usdt(5).toString() } },
  ]);
  const [invoice] = await world.invoicesOf(id);
  expect(await entries(id, 'trader.deposit_address_given')).toEqual([
    { before: null, after: { deposit_address: invoice?.payment_address } },
  ]);
});

test.each([
  ['open although nothing is owed', "status = 'pending', paid_units = amount_units"],
  ['paid on chain in part', "status = 'paid', settled_by = 'chain', paid_at = now(), paid_units = 0"],
])('no invoice is %s', async (_, changes) => {
  const { ids } = await traderOwing(10);
  await expect(world.owner(`UPDATE invoice SET ${changes} WHERE id = $1`, [ids[0]])).rejects.toThrow(
    /violates check constraint "invoice_/,
  );
});

test('groups are marked together, a trader without a reference number alone', async () => {
  const traders = [await traderOwing(33, 44), await traderOwing(33), await traderOwing(33)];
  const reference = (n: number) => `TOGETHER-${n}`;
  for (const [n, { id }] of traders.entries())
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [
      id,
      n < 2 ? reference(n) : null,
    ]);
  const markGroups = (reference_numbers: string[], trader_id?: string) =>
    call('PATCH /api/invoices/admin/status', {
      body: {
        groups: { reference_numbers, filters: { min_amount: '33', max_amount: '33', trader_id } },
        is_paid: true,
      },
    });
  const statuses = async () =>
    (await Promise.all(traders.map(({ id }) => world.invoicesOf(id)))).map((invoices) =>
      invoices.map(({ status }) => status),
    );
  expect((await markGroups([reference(0), reference(1), 'TOGETHER-none'])).body.data.changed).toBe(2);
  expect(await statuses()).toEqual([['paid', 'pending'], ['paid'], ['pending']]);
  expect((await markGroups([reference(0), 'unknown'])).body.error).toBe('strangers_together');
  const own = await markGroups(['unknown'], traders[2]?.id);
  expect(own.body.data).toEqual({ changed: 1, unchanged: 0 });
  expect(await statuses()).toEqual([['paid', 'pending'], ['paid'], ['paid']]);
});

test('above the limit of simultaneous changes no invoice changes, whatever the caller saw', async () => {
  const trader = await world.addTrader({ reference_number: null });
  await world.addInvoices(trader.id, { count: 10_001 });
  const groups = { reference_numbers: ['unknown'], filters: { trader_id: trader.id } };
  const body = { groups, is_paid: true, expected_count: 5 };
  expect(await call('PATCH /api/invoices/admin/status', { body })).toMatchObject({
    status: 400,
    body: { message: 'More than 10,000 invoices cannot be changed at once. Please narrow the filters.' },
  });
});
