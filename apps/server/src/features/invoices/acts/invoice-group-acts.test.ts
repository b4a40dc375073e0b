import { randomUUID } from 'node:crypto';
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
let token: string;
beforeAll(async () => {
  world = await createInvoicingWorld();
  token = await world.signIn('super');
});
afterAll(() => world.close());

const call = async <K extends Call>(key: K, input: CallInput<K>, headers: Record<string, string> = {}) => {
  const answer = await send(world.app, key, input, token, headers);
  return { status: answer.statusCode, body: answer.json() };
};
const mark = (id: string, is_paid: boolean) =>
  call('PATCH /api/invoices/{id}/status', { params: { id }, body: { is_paid } });

async function traderOwing(...amounts: number[]) {
  const trader = await world.addTrader();
  for (const amount of amounts) {
    await world.addPositions(trader, String(2 * amount));
    await world.invoice();
  }
  const invoices = await world.invoicesOf(trader.id);
  const [row] = await world.owner<{ reference_number: string }>(
    'SELECT reference_number FROM trader WHERE id = $1',
    [trader.id],
  );
  return { ...trader, ids: invoices.map(({ id }) => id), reference: row?.reference_number as string };
}
const statuses = async (traderId: string) => (await world.invoicesOf(traderId)).map(({ status }) => status);

describe('marking a group', () => {
  const markGroup = (
    body: CallInput<'PATCH /api/invoices/admin/status'>['body'],
    headers: Record<string, string> = {},
  ) => call('PATCH /api/invoices/admin/status', { body }, headers);

  test('marks all that is shown of it, in one transaction', async () => {
    const { id, reference } = await traderOwing(10, 20, 30);
    const groups = { reference_numbers: [reference], filters: { min_amount: '15' } };
    expect(await markGroup({ groups, is_paid: true, expected_count: 2 })).toMatchObject({
      status: 200,
      body: { data: { changed: 2, unchanged: 0 } },
    });
    expect(await statuses(id)).toEqual(['pending', 'paid', 'paid']);
    expect(
      (await markGroup({ groups: { reference_numbers: [reference] }, is_paid: true })).body.data,
    ).toEqual({ changed: 1, unchanged: 2 });
    expect(await findUnsound(world)).toEqual({});
  });

  test('notifies the trader once', async () => {
    const { id, reference } = await traderOwing(10, 20, 30);
    await markGroup({ groups: { reference_numbers: [reference] }, is_paid: true });
    const told = await world.owner(`SELECT FROM message WHERE trader_id = $1 AND kind = 'invoice_paid'`, [
      id,
    ]);
    expect(told).toHaveLength(1);
  });

  test('never acts on several traders without a reference number', async () => {
    const [one, two, known] = [await traderOwing(10), await traderOwing(20), await traderOwing(30)];
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [one.id, null]);
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [two.id, 'unknown']);
    const unknown = { reference_numbers: ['unknown'] };
    for (const body of [
      { groups: unknown },
      { groups: { reference_numbers: ['unknown', known.reference] } },
      { groups: { ...unknown, filters: { search: 'a' } } },
      { invoice_ids: [...one.ids, ...two.ids] },
      { invoice_ids: [...one.ids, ...two.ids, ...known.ids] },
    ]) {
      for (const answer of [
        await markGroup({ ...body, is_paid: true }),
        await call('PATCH /api/invoices/admin/archive', { body: { ...body, is_archived: true } }),
      ])
        expect(answer).toMatchObject({ status: 422, body: { error: 'strangers_together' } });
    }
    expect(await statuses(one.id)).toEqual(['pending']);
    const ofOne = { ...unknown, filters: { trader_id: one.id } };
    expect(await markGroup({ groups: ofOne, is_paid: true, expected_count: 1 })).toMatchObject({
      status: 200,
      body: { data: { changed: 1 } },
    });
    expect([await statuses(one.id), await statuses(two.id)]).toEqual([['paid'], ['pending']]);
    expect(
      (await markGroup({ invoice_ids: [...two.ids, ...known.ids], is_paid: true })).body.data.changed,
    ).toBe(2);
  });

  test('changes nothing when one of them refuses', async () => {
    const { id, ids, reference } = await traderOwing(10, 20, 30);
    await world.pay(id, usdt(10));
    await markGroup({ invoice_ids: ids.slice(1), is_paid: true });
    const answer = await markGroup({ groups: { reference_numbers: [reference] }, is_paid: false });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: 'invoice_paid_on_chain',
        message: '1 of 3 invoices were paid on chain: none was marked as unpaid',
      },
    });
    expect(await statuses(id)).toEqual(['paid', 'paid', 'paid']);
    expect(await findUnsound(world)).toEqual({});
  });

  test('changes nothing when they are not as many as the caller saw', async () => {
    const { id, reference } = await traderOwing(10, 20);
    expect(
      await markGroup({ groups: { reference_numbers: [reference] }, is_paid: true, expected_count: 3 }),
    ).toMatchObject({ status: 409, body: { error: 'selection_changed' } });
    expect(await statuses(id)).toEqual(['pending', 'pending']);
  });

  test('a missing invoice among others is missing, and nothing changes', async () => {
    const { id, ids } = await traderOwing(10);
    expect((await markGroup({ invoice_ids: [...ids, randomUUID()], is_paid: true })).status).toBe(404);
    expect(await statuses(id)).toEqual(['pending']);
  });

  test('the group of those without a reference number can be marked as well', async () => {
    const { id } = await traderOwing(10);
    await world.owner('UPDATE trader SET reference_number = NULL WHERE id = $1', [id]);
    const groups = { reference_numbers: ['unknown'], filters: { trader_id: id } };
    expect((await markGroup({ groups, is_paid: true, expected_count: 1 })).body.data.changed).toBe(1);
  });

  test.each([
    [{ is_paid: true }],
    [{ invoice_ids: [randomUUID()], groups: { reference_numbers: ['A'] }, is_paid: true }],
    [{ invoice_ids: [], is_paid: true }],
    [{ groups: { reference_numbers: [] }, is_paid: true }],
    [{ groups: { reference_numbers: ['A'], filters: { status: 'open' } }, is_paid: true }],
    [{ groups: { reference_numbers: ['A'], filters: { colour: 'red' } }, is_paid: true }],
    [{ invoice_ids: [randomUUID()], is_paid: 'true' }],
    [{ invoice_ids: [randomUUID()] }],
    [{ invoice_ids: [randomUUID()], is_paid: true, expected_count: 0 }],
  ])('%j is no selection', async (body) => {
    expect(await markGroup(body as never)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    });
  });

  test('the same Idempotency-Key is answered again, and with another body refused', async () => {
    const { id, ids } = await traderOwing(10);
    const key = { 'idempotency-key': randomUUID() };
    const first = await markGroup({ invoice_ids: ids, is_paid: true }, key);
    expect(first.body.data).toEqual({ changed: 1, unchanged: 0 });
    await mark(ids[0] ?? '', false);
    expect(await markGroup({ invoice_ids: ids, is_paid: true }, key)).toEqual(first);
    expect(await statuses(id)).toEqual(['pending']);
    expect(await markGroup({ invoice_ids: ids, is_paid: false }, key)).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    });
  });
});

describe('all groups that match', () => {
  const byName = (reference: string) => ({ filters: { search: reference } });
  const preview = async (body: CallInput<'POST /api/invoices/admin/preview'>['body']) =>
    (await call('POST /api/invoices/admin/preview', { body })).body;

  test('are previewed as they are then marked, without those that are left out', async () => {
    const [one, two] = [await traderOwing(10, 20), await traderOwing(30)];
    const name = `ALL-${randomUUID().slice(0, 8)}`;
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [one.id, `${name}-1`]);
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [two.id, `${name}-2`]);
    await mark(one.ids[0] as string, true);
    const whole = await preview({ act: 'pay', matching: byName(name) });
    expect(whole.data).toEqual({
      selected: 3,
      traders: 2,
      changing: 2,
      sum: '50',
      given_up: '50',
      on_chain: 0,
      left_out: [],
    });
    const matching = { ...byName(name), except: [`${name}-2`] };
    expect((await preview({ act: 'pay', matching })).data).toMatchObject({
      selected: 2,
      changing: 1,
      sum: '20',
    });
    const body = { matching, is_paid: true, reason: 'paid in cash' };
    expect(
      await call('PATCH /api/invoices/admin/status', { body: { ...body, expected_count: 3 } }),
    ).toMatchObject({ status: 409, body: { error: 'selection_changed' } });
    expect(
      await call('PATCH /api/invoices/admin/status', { body: { ...body, expected_count: 2 } }),
    ).toMatchObject({ status: 200, body: { data: { changed: 1, unchanged: 1 } } });
    expect(await statuses(one.id)).toEqual(['paid', 'paid']);
    expect(await statuses(two.id)).toEqual(['pending']);
    expect(await findUnsound(world)).toEqual({});
  });

  test('are those of their tab, and never of traders without a reference number', async () => {
    const [known, stranger] = [await traderOwing(10), await traderOwing(20)];
    const name = `TAB-${randomUUID().slice(0, 8)}`;
    await world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [known.id, name]);
    await world.owner('UPDATE trader SET reference_number = NULL WHERE id = $1', [stranger.id]);
    const of = (tab: 'all' | 'paid' | 'unpaid' | 'archived') =>
      preview({ act: 'archive', matching: { ...byName(name), tab } });
    expect((await of('unpaid')).data).toMatchObject({ selected: 1, changing: 1, given_up: '10' });
    expect((await of('paid')).error).toBe('not_found');
    expect((await of('archived')).error).toBe('not_found');
    const everything = await preview({ act: 'archive', matching: {} });
    const [{ count } = { count: 0 }] = await world.owner<{ count: number }>(
      `SELECT count(*)::int AS count FROM invoice i JOIN trader t ON t.id = i.trader_id
       WHERE NOT i.is_archived AND t.reference_number IS NOT NULL AND t.reference_number <> 'unknown'`,
    );
    expect(everything.data.selected).toBe(count);
    expect(await statuses(stranger.id)).toEqual(['pending']);
  });
});
