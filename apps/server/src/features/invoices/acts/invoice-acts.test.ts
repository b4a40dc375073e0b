import type { Call, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patiently } from '../../../../../../tests/support/patiently.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { addPayout } from '../../../../../../tests/support/world/payouts.ts';
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

  test('fifty simultaneous calls are one change and one entry; the others get the present state', async () => {
    const { ids } = await traderOwing(10);
    const [invoice = ''] = ids;
    const answers = await Promise.all(Array.from({ length: 50 }, () => patiently(() => mark(invoice, true))));
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

  test('notifies the trader half a minute later, and not if it was reverted by then', async () => {
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
