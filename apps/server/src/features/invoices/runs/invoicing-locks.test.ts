import { setTimeout as sleep } from 'node:timers/promises';
import type { CallInput } from '@copydesk/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { startWorkLoop } from '../../../platform/work/work-loop.ts';
import { remindOfInvoices } from '../../messages/reminders.jobs.ts';
import { beginInvoicing } from './invoicing.jobs.ts';
import { takeInvoicingTurn } from './invoicing-turn.ts';

/** What does not wait for anybody is done by then, on a busy machine too. */
const PATIENCE_MS = 25_000;

let world: InvoicingWorld;
let token: string;
beforeAll(async () => {
  world = await createInvoicingWorld();
  token = await world.signIn('super');
});
afterAll(() => world.close());

/** Another client in the middle of a transaction. */
async function withOther<T>(work: (other: pg.Client) => Promise<T>): Promise<T> {
  const other = new pg.Client({ connectionString: world.ownerUrl });
  await other.connect();
  try {
    await other.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
    return await work(other);
  } finally {
    await other.query('ROLLBACK');
    await other.end();
  }
}
const lock = (other: pg.Client, table: string, id: string | undefined, strength: string) =>
  other.query(`SELECT FROM ${table} WHERE id = $1 FOR ${strength}`, [id]);
const inTime = <T>(doing: Promise<T>): Promise<T | 'waits'> =>
  Promise.race([doing, sleep(PATIENCE_MS, 'waits' as const)]);
/** Until a process of the application waits for a lock. */
async function isWaiting(): Promise<void> {
  const [row] = await world.owner<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'test' AND wait_event_type = 'Lock'`,
  );
  if (row?.n) return;
  await sleep(20);
  await isWaiting();
}

async function traderOwing(usd: string) {
  const trader = await world.addTrader();
  await world.addPositions(trader, usd);
  await world.invoice();
  return { ...trader, invoiceId: (await world.invoicesOf(trader.id))[0]?.id as string };
}
const markAll = async (body: CallInput<'PATCH /api/invoices/admin/status'>['body']) => {
  const answer = await send(world.app, 'PATCH /api/invoices/admin/status', { body }, token);
  return { status: answer.statusCode, data: answer.json().data };
};

test('an invoice is marked while a message that names it is written', async () => {
  const { invoiceId } = await traderOwing('20');
  await withOther(async (other) => {
    await lock(other, 'invoice', invoiceId, 'KEY SHARE');
    expect(await inTime(markAll({ invoice_ids: [invoiceId], is_paid: true }))).toMatchObject({ status: 200 });
  });
});

test('a trader gets its address while a position is added to it', async () => {
  const trader = await world.addTrader();
  await world.addPositions(trader, '20');
  await withOther(async (other) => {
    await lock(other, 'trader', trader.id, 'KEY SHARE');
    expect(await inTime(world.invoice())).toBeUndefined();
  });
  expect(await world.invoicesOf(trader.id)).toHaveLength(1);
});

test('reminders that wait for a trader hold nothing that its change could wait for', async () => {
  const { id, invoiceId } = await traderOwing('20');
  await world.owner(`UPDATE invoice SET due_at = now() - interval '1 hour' WHERE id = $1`, [invoiceId]);
  const reminding = await withOther(async (other) => {
    await lock(other, 'trader', id, 'NO KEY UPDATE');
    const job = remindOfInvoices({ db: world.db, now: () => new Date() });
    await isWaiting();
    expect(await inTime(lock(other, 'trader', id, 'UPDATE'))).toMatchObject({ command: 'SELECT' });
    return { job };
  });
  expect(await reminding.job).toMatchObject({ overdue: expect.any(Number) });
  expect(
    await world.owner('SELECT FROM message WHERE dedupe_key = $1', [`invoice_overdue:${invoiceId}`]),
  ).toHaveLength(1);
});

test('an invoice that joins a group while its traders are being locked is left out', async () => {
  const [first, second] = [await traderOwing('155.54'), await traderOwing('155.54')];
  const name = (id: string, reference: string) =>
    world.owner('UPDATE trader SET reference_number = $2 WHERE id = $1', [id, reference]);
  await name(first.id, 'JOIN-A');
  await name(second.id, 'JOIN-C');
  const filters = { min_amount: '77.77', max_amount: '77.77' };
  const marking = await withOther(async (other) => {
    await lock(other, 'trader', first.id, 'NO KEY UPDATE');
    const answer = markAll({ groups: { reference_numbers: ['JOIN-A', 'JOIN-B'], filters }, is_paid: true });
    await isWaiting();
    await name(second.id, 'JOIN-B');
    return { answer };
  });
  expect(await marking.answer).toEqual({ status: 200, data: { changed: 1, unchanged: 0 } });
  expect((await world.invoicesOf(second.id)).map(({ status }) => status)).toEqual(['pending']);
});

test('a call that the database gives up for the sake of another one is done again', async () => {
  const traders = [await traderOwing('20'), await traderOwing('20')].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first, second] = traders;
  const deadlock = () =>
    withOther(async (other) => {
      await lock(other, 'trader', second?.id, 'NO KEY UPDATE');
      const answer = markAll({ invoice_ids: traders.map(({ invoiceId }) => invoiceId), is_paid: true });
      await isWaiting();
      // Each waits for the other now. Who has waited for longest is given up: on a busy machine it may be this one, and
      // then the call has nothing to do again.
      const isGivenUp = await lock(other, 'trader', first?.id, 'NO KEY UPDATE').then(
        () => false,
        (error) => error.code === '40P01',
      );
      return { answer, isGivenUp };
    });
  let marking = await deadlock();
  let attempts = 1;
  for (; marking.isGivenUp && attempts < 5; attempts += 1) {
    await marking.answer;
    await markAll({ invoice_ids: traders.map(({ invoiceId }) => invoiceId), is_paid: false });
    marking = await deadlock();
  }
  expect(marking.isGivenUp).toBe(false);
  expect(await marking.answer).toEqual({ status: 200, data: { changed: 2, unchanged: 0 } });
  const entries = await world.owner(
    `SELECT FROM audit_entry WHERE action = 'invoice.marked_paid' AND target_id = ANY ($1)`,
    [traders.map(({ invoiceId }) => invoiceId)],
  );
  expect(entries).toHaveLength(2 * attempts);
  expect(await findUnsound(world)).toEqual({});
});

test('a worker that ends gives its run back, for another to go on at once', async () => {
  const trader = await world.addTrader();
  await world.addPositions(trader, '20');
  const { id } = await beginInvoicing(world.db);
  const deps = world.turnDeps();
  const loop = startWorkLoop({
    name: 'ending',
    everyMs: 60_000,
    log: world.log,
    turn: (stopped) => takeInvoicingTurn(deps, stopped),
  });
  await loop.stop();
  const run = async () =>
    (await world.owner('SELECT state, invoices, leased_until FROM invoicing_run WHERE id = $1', [id]))[0];
  expect(await run()).toEqual({ state: 'running', invoices: 0, leased_until: null });
  await takeInvoicingTurn(deps);
  expect(await run()).toMatchObject({ state: 'done', invoices: 1 });
});
