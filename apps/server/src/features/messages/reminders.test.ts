import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../../tests/support/until.ts';
import { addInvoices } from '../../../../../tests/support/world/invoices.ts';
import {
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../tests/support/world/messaging-world.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { notifyUnpaid } from './notify.service.ts';
import { remindOfInvoices } from './reminders.jobs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USDT = 10n ** 18n;

let world: MessagingWorld;
beforeAll(async () => {
  world = await createMessagingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.telegram.faults.clear();
  world.telegram.outbox.reset();
  // Closes everything that other tests and the demo world left open.
  await world.owner("UPDATE message SET state = 'failed' WHERE state = 'queued'");
  await world.owner('UPDATE invoice SET is_archived = true WHERE NOT is_archived');
});
afterEach(() => world.stopSenders());

const remind = () => remindOfInvoices({ db: world.db, now: () => new Date(world.now()) });
const notify = (traderId: string) =>
  world.db.write(WHOLE_SCOPE, { kind: 'user', id: 'u1', name: 'Olga' }, (tx) => notifyUnpaid(tx, traderId));
const traderOf = async (id: string) =>
  (
    await world.owner<{ suggested_delinquent_at: Date | null; status: string }>(
      'SELECT suggested_delinquent_at, status FROM trader WHERE id = $1',
      [id],
    )
  )[0];
const auditOf = (id: string) =>
  world.owner<{ action: string; actor_kind: string; after: unknown }>(
    'SELECT action, actor_kind, after FROM audit_entry WHERE target_id = $1 ORDER BY seq',
    [id],
  );
const kindsOf = async (traderId: string) => (await world.messagesOf(traderId)).map(({ kind }) => kind);

describe('reminders', () => {
  test('come once before an invoice is due and once after, and then no more', async () => {
    const traderId = await world.addTrader();
    const id = await world.addInvoice(traderId, { dueInMs: 25 * HOUR, paid_units: (40n * USDT).toString() });
    await remind();
    expect(await kindsOf(traderId)).toEqual([]);
    world.advance(2 * HOUR);
    await remind();
    await remind();
    expect(await world.messagesOf(traderId)).toMatchObject([
      {
        kind: 'invoice_due_soon',
        dedupe_key: `invoice_due_soon:${id}`,
        text: expect.stringContaining('60.00'),
      },
    ]);
    expect((await traderOf(traderId))?.suggested_delinquent_at).toBeNull();
    world.advance(24 * HOUR);
    await remind();
    await remind();
    expect(await kindsOf(traderId)).toEqual(['invoice_due_soon', 'invoice_overdue']);
  });

  test('of an overdue invoice suggest the trader as delinquent, for a person to confirm', async () => {
    const traderId = await world.addTrader();
    const id = await world.addInvoice(traderId, { dueInMs: -HOUR });
    await world.addInvoice(traderId, { dueInMs: -2 * HOUR });
    const delinquentId = await world.addTrader({ status: 'delinquent' });
    await world.addInvoice(delinquentId, { dueInMs: -HOUR });
    await remind();
    expect(await traderOf(traderId)).toMatchObject({
      status: 'connected',
      suggested_delinquent_at: expect.any(Date),
    });
    expect(await traderOf(delinquentId)).toMatchObject({ suggested_delinquent_at: null });
    expect(await auditOf(traderId)).toMatchObject([
      { action: 'trader.delinquent_suggested', actor_kind: 'system' },
    ]);
    expect(await kindsOf(delinquentId)).toEqual(['invoice_overdue']);

    // A person looked at it and thinks otherwise: the same invoices do not suggest it again.
    await world.owner('UPDATE trader SET suggested_delinquent_at = NULL WHERE id = $1', [traderId]);
    await remind();
    expect(await traderOf(traderId)).toMatchObject({ suggested_delinquent_at: null });
    expect(id).toBeTruthy();
  });

  test('skip invoices that were overdue long before, are archived, or are no longer owed', async () => {
    const traderId = await world.addTrader();
    await world.addInvoice(traderId, { dueInMs: -4 * DAY });
    await world.addInvoice(traderId, { dueInMs: -HOUR, is_archived: true });
    await world.addInvoice(traderId, { dueInMs: -HOUR, status: 'cancelled' });
    await world.settle(await world.addInvoice(traderId, { dueInMs: HOUR }));
    await remind();
    expect(await kindsOf(traderId)).toEqual([]);
    expect((await traderOf(traderId))?.suggested_delinquent_at).toBeNull();
  });

  test('of more invoices than one transaction takes all come, once', { timeout: 30_000 }, async () => {
    const traderId = await world.addTrader();
    await addInvoices(world.owner, traderId, {
      count: 1100,
      // PostgreSQL has microseconds, which a cursor of milliseconds would lose.
      due_at: new Date(world.now() - HOUR).toISOString().replace('Z', '123Z'),
    });
    expect((await remind()).overdue).toBe(1100);
    expect((await remind()).overdue).toBe(0);
  });

  test('are not sent for invoices paid, archived or cancelled meanwhile', async () => {
    const fates = ["status = 'cancelled'", 'is_archived = true'];
    const paidBy = await world.addTrader();
    const invoiceId = await world.addInvoice(paidBy, { dueInMs: HOUR });
    const others = await Promise.all(fates.map(() => world.addTrader()));
    const otherIds = await Promise.all(others.map((id) => world.addInvoice(id, { dueInMs: -HOUR })));
    const open = await world.addTrader();
    await world.addInvoice(open, { dueInMs: HOUR });
    await remind();
    const { messageId } = await notify(paidBy);
    await world.settle(invoiceId);
    for (const [nth, fate] of fates.entries())
      await world.owner(`UPDATE invoice SET ${fate} WHERE id = $1`, [otherIds[nth]]);
    world.startSender();
    await until(async () => (await world.messagesOf(open))[0]?.state === 'sent');
    await until(async () => (await world.statesOf([messageId])).queued === undefined);
    for (const id of [paidBy, ...others]) await until(async () => (await world.messagesOf(id)).length === 0);
    expect(world.telegram.outbox.list()).toHaveLength(1);
  });
});
