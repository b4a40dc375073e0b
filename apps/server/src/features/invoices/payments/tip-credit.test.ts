import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { allowTips, WORKER } from '../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';

let world: InvoicingWorld;
let superAdmin: string;
beforeAll(async () => {
  world = await createInvoicingWorld({ env: { APPROVAL_ABOVE_USDT: '100' } });
  superAdmin = await world.signIn('super');
});
afterAll(() => world?.close());

describe('credit', () => {
  const tip = (id: string, amount: string, reason = 'Its owner gives it') =>
    send(world.app, 'POST /api/payments/{id}/tip', { params: { id }, body: { amount, reason } }, superAdmin);
  /** A trader that paid an invoice of 10, and this much more. */
  async function addCredit(units: bigint) {
    const trader = await world.addTrader();
    await world.addPositions(trader, '20');
    await world.invoice();
    const { paymentId } = await world.pay(trader.id, usdt(10) + units);
    return { id: trader.id, paymentId };
  }
  const openOf = async (paymentId: string) =>
    (await world.owner('SELECT open_units::text AS units FROM payment WHERE id = $1', [paymentId]))[0]?.units;
  const isListedAsWaiting = async (paymentId: string) => {
    const answer = await send(world.app, 'GET /api/payments/unmatched', { query: {} }, superAdmin);
    const data: { id: string; is_awaiting_approval: boolean }[] = answer.json().data;
    return data.find(({ id }) => id === paymentId)?.is_awaiting_approval;
  };
  beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

  test('becomes a tip by an order, once, on the invoice that was paid last', async () => {
    const { id, paymentId } = await addCredit(usdt(30));
    expect((await tip(paymentId, '29')).json().error).toBe('credit_changed');
    const answers = await Promise.all([tip(paymentId, '30'), tip(paymentId, '30')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    const tips = await world.owner<{ units: string }>(
      `SELECT y.amount_units::text AS units FROM payable y JOIN invoice i ON i.id = y.invoice_id
       WHERE i.trader_id = $1 AND y.recipient_type = 'tip'`,
      [id],
    );
    expect(tips).toEqual([{ units: usdt(30).toString() }]);
    expect(await openOf(paymentId)).toBe('0');
    const orders = await world.owner(
      `SELECT o.state FROM money_order o JOIN money_order_line l ON l.order_id = o.id
       WHERE o.act = 'credit_tipped' AND l.subject_id = $1`,
      [paymentId],
    );
    expect(orders).toEqual([{ state: 'approved' }]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('that a higher limit makes small becomes a tip with the next payment, and keeps none out', async () => {
    const { id, paymentId } = await addCredit(usdt(5));
    await allowTips(world.owner, 10n);
    const { paymentId: next } = await world.pay(id, usdt(3));
    expect([await openOf(paymentId), await openOf(next)]).toEqual(['0', '0']);
    expect(await findUnsound(world)).toEqual({});
    await allowTips(world.owner, 1n);
  });

  test('of a trader that paid no invoice cannot', async () => {
    const trader = await world.addTrader();
    const { paymentId } = await world.pay(trader.id, usdt(5));
    expect((await tip(paymentId, '5')).json().error).toBe('nothing_paid_yet');
  });

  test('above the limit waits for another person, and goes to an invoice that comes first', async () => {
    const { id, paymentId } = await addCredit(usdt(2_000));
    const waits = await tip(paymentId, '2000');
    expect(waits.json().data.state).toBe('awaiting_approval');
    expect((await tip(paymentId, '2000')).json().error).toBe('order_waits');
    expect(await isListedAsWaiting(paymentId)).toBe(true);
    const [provider] = await world.owner<{ id: string }>(
      'SELECT selected_provider_id AS id FROM trader WHERE id = $1',
      [id],
    );
    const accountId = await world.addAccount({ id, providerId: provider?.id ?? '' });
    await world.addPositions({ id, accountId, providerId: provider?.id ?? '' }, '2');
    await world.invoice();
    const approved = await send(
      world.app,
      'POST /api/orders/{id}/approve',
      { params: { id: waits.json().data.order_id } },
      await world.signIn('super-2'),
    );
    expect(approved.json().error).toBe('order_changed');
    expect(await isListedAsWaiting(paymentId)).toBe(true);
    const withdraw = { params: { id: waits.json().data.order_id as string } };
    expect((await send(world.app, 'POST /api/orders/{id}/decline', withdraw, superAdmin)).statusCode).toBe(
      200,
    );
    expect(await isListedAsWaiting(paymentId)).toBe(false);
    expect(await openOf(paymentId)).toBe(usdt(1_999).toString());
  });

  test('is no tip for the login of the API without an order', async () => {
    const { id, paymentId } = await addCredit(usdt(30));
    const [invoice] = await world.invoicesOf(id);
    const attempt = world.db.write(WHOLE_SCOPE, WORKER, async (tx) => {
      await sql`SELECT app.take_payments(ARRAY[${paymentId}]::uuid[], ARRAY[${invoice?.id}]::uuid[],
        ARRAY[${usdt(30).toString()}]::numeric[])`.execute(tx.sql);
    });
    await expect(attempt).rejects.toThrow(/by an order/);
  });
});
