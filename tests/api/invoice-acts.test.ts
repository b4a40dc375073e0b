import { randomUUID } from 'node:crypto';
import type { Call, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/send.ts';
import { newAddress } from '../support/world/addresses.ts';
import { createInvoicingWorld, type InvoicingWorld } from '../support/world/invoicing-world.ts';
import { addPayout } from '../support/world/payouts.ts';
import { findUnsound } from '../support/world/sound-invoices.ts';
import { usdt } from '../support/world/usdt.ts';

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
const audited = async (id: string) =>
  (
    await world.owner<{ action: string }>(
      `SELECT action FROM audit_entry WHERE target_id = $1 AND action <> 'invoice.created' ORDER BY seq`,
      [id],
    )
  ).map(({ action }) => action);

describe('marking one invoice', () => {
  test('settles it off-platform, makes no payables, and can be taken back', async () => {
    const { id, ids } = await traderOwing(10);
    const [invoice = ''] = ids;
    const { status, body } = await mark(invoice, true);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: invoice, is_paid: true, status: 'paid', amount: '10' });
    expect(await world.owner('SELECT FROM payable WHERE invoice_id = $1', [invoice])).toEqual([]);
    expect((await mark(invoice, false)).body.data).toMatchObject({ is_paid: false, status: 'pending' });
    expect((await mark(invoice, true)).body.data).toMatchObject({ is_paid: true });
    expect(await statuses(id)).toEqual(['paid']);
    expect(await audited(invoice)).toEqual([
      'invoice.marked_paid',
      'invoice.marked_unpaid',
      'invoice.marked_paid',
    ]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('fifty times at once is one change and one entry; the others hear what is true', async () => {
    const { ids } = await traderOwing(10);
    const [invoice = ''] = ids;
    const answers = await Promise.all(Array.from({ length: 50 }, () => mark(invoice, true)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.data.is_paid).toBe(true);
    }
    expect(await audited(invoice)).toEqual(['invoice.marked_paid']);
    expect(
      await world.owner(
        `SELECT count(*)::int AS n FROM journal j JOIN posting p ON p.journal_id = j.id
         JOIN ledger_account a ON a.id = p.account_id AND a.owner_id = $1 AND a.kind = 'receivable'
         WHERE j.kind = 'invoice_settled_by_hand'`,
        [invoice],
      ),
    ).toEqual([{ n: 1 }]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('as unpaid is refused after a payment on chain, with the reason', async () => {
    const { id, ids } = await traderOwing(10, 20);
    const [first = '', second = ''] = ids;
    await world.pay(id, usdt(15));
    expect(await mark(first, false)).toMatchObject({
      status: 409,
      body: {
        error: 'invoice_paid_on_chain',
        message: 'A payment was seen on chain: the invoice cannot be marked as unpaid',
      },
    });
    // The second was paid in part: a person settles the rest, and that cannot be taken back either.
    expect((await mark(second, true)).status).toBe(200);
    expect(await mark(second, false)).toMatchObject({
      status: 409,
      body: { error: 'invoice_paid_on_chain' },
    });
    expect(await findUnsound(world)).toEqual({});
  });

  test('as unpaid is refused once a share is being paid out', async () => {
    const { id, ids, communityId } = await traderOwing(10);
    await world.pay(id, usdt(10));
    const recipient = newAddress();
    const payout = await addPayout(world.owner, communityId, { recipient_address: recipient });
    await world.owner('UPDATE payable SET payout_id = $1, recipient_address = $2 WHERE invoice_id = $3', [
      payout,
      recipient,
      ids[0],
    ]);
    expect(await mark(ids[0] ?? '', false)).toMatchObject({ status: 409, body: { error: 'payout_made' } });
  });

  test('is told to the trader half a minute later, and not at all when it was taken back by then', async () => {
    const { id, ids } = await traderOwing(10);
    const told = () =>
      world.owner<{ in_s: number }>(
        `SELECT extract(epoch FROM due_at - created_at)::int AS in_s FROM message
         WHERE trader_id = $1 AND kind = 'invoice_paid'`,
        [id],
      );
    await mark(ids[0] ?? '', true);
    expect(await told()).toEqual([{ in_s: 30 }]);
    await mark(ids[0] ?? '', false);
    expect(await told()).toEqual([]);
  });

  test('a cancelled one is neither', async () => {
    // Of the demo world: it was imported, so no book is touched by the stroke of this pen.
    const [row] = await world.owner<{ id: string }>(
      `UPDATE invoice SET status = 'cancelled' WHERE id = (SELECT i.id FROM invoice i WHERE status = 'pending'
         AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.owner_id = i.id) LIMIT 1) RETURNING id`,
    );
    for (const isPaid of [true, false])
      expect(await mark(row?.id ?? '', isPaid)).toMatchObject({
        status: 409,
        body: { error: 'invoice_cancelled' },
      });
  });

  test('imported as settled by hand, it can be taken back although the ledger never heard of it', async () => {
    const [row] = await world.owner<{ id: string }>(
      `SELECT i.id FROM invoice i WHERE status = 'paid' AND settled_by = 'manual' AND paid_units = 0
         AND settlement_journal_id IS NULL LIMIT 1`,
    );
    expect((await mark(row?.id ?? '', false)).body.data).toMatchObject({ is_paid: false });
    expect((await mark(row?.id ?? '', true)).body.data).toMatchObject({ is_paid: true });
    expect(await findUnsound(world)).toEqual({});
  });
});

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

  test('tells the trader once', async () => {
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

describe('the archive', () => {
  test('takes an invoice out of the lists, and gives it back', async () => {
    const { ids, reference } = await traderOwing(10, 20);
    const listed = async (tab: string) =>
      (
        await call('GET /api/invoices/admin/groups', { query: { search: reference, tab } as never })
      ).body.data.map((group: { invoice_count: number }) => group.invoice_count);
    const archive = (is_archived: boolean) =>
      call('PATCH /api/invoices/{id}/archive', { params: { id: ids[0] ?? '' }, body: { is_archived } });
    expect((await archive(true)).body.data).toMatchObject({ is_archived: true, is_overdue: false });
    expect([await listed('all'), await listed('archived')]).toEqual([[1], [1]]);
    await archive(true);
    expect((await archive(false)).body.data).toMatchObject({ is_archived: false });
    expect([await listed('all'), await listed('archived')]).toEqual([[2], []]);
    expect(await audited(ids[0] ?? '')).toEqual(['invoice.archived', 'invoice.unarchived']);
  });

  test('takes a whole group, and only from where it is seen', async () => {
    const { ids, reference } = await traderOwing(10, 20);
    const change = (is_archived: boolean, in_archive: boolean) =>
      call('PATCH /api/invoices/admin/archive', {
        body: { groups: { reference_numbers: [reference], in_archive }, is_archived },
      });
    expect((await change(true, false)).body.data).toEqual({ changed: 2, unchanged: 0 });
    expect((await change(true, false)).status).toBe(404);
    expect((await change(false, true)).body.data).toEqual({ changed: 2, unchanged: 0 });
    expect(ids).toHaveLength(2);
  });
});
