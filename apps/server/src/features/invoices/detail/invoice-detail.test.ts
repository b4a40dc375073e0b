import { randomUUID } from 'node:crypto';
import type { Call, CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { tamperWith } from '../../../../../../tests/support/tamper.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { takeInvoicingTurn } from '../runs/invoicing-turn.ts';

let world: InvoicingWorld;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  world = await createInvoicingWorld();
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await world.signIn(persona);
});
afterAll(() => world.close());

const call = async <K extends Call>(key: K, input: CallInput<K>, as = 'super') => {
  const answer = await send(world.app, key, input, tokens[as]);
  return { status: answer.statusCode, ...(answer.json() as { error?: string; data: never; meta: never }) };
};
const detail = async (id: string, as = 'super') =>
  (await call('GET /api/invoices/{id}', { params: { id } }, as)) as { status: number; data: Detail };
const timeline = async (id: string) =>
  (await call('GET /api/timeline', { query: { subject_kind: 'invoice', subject_id: id } })).data as {
    events: {
      kind: string;
      actor: string;
      actor_name: string | null;
      amount: string | null;
      count: number;
    }[];
  };
type Detail = {
  split: { recipient_type: string; amount: string; state: string }[];
  payments: { amount: string; tip: string; transaction_hash: string }[];
  unpaid_refusal: string | null;
  settled_by: string | null;
  commission_rate: string;
  on_chain_amount: string;
  off_platform: { amount: string; reason: string }[];
  basis: Record<string, unknown>;
};

async function invoiceOf(...pnls: string[]) {
  const trader = await world.addTrader();
  await world.addPositions(trader, ...pnls);
  await world.invoice();
  const [invoice] = await world.invoicesOf(trader.id);
  return { trader, id: invoice?.id as string };
}
/** The provider that the persona works for. */
const providerOf = async (as: string) =>
  ((await call('GET /api/me', {}, as)).data as { providers: { id: string }[] }).providers[0]?.id as string;

describe('an invoice looked into', () => {
  test('shows its frozen split, the progress of each share, its payments and its timeline', async () => {
    const { trader, id } = await invoiceOf('100', '60');
    const before = (await detail(id)).data;
    expect(before.split.map(({ state }) => state)).toEqual(before.split.map(() => 'frozen'));
    expect(before).toMatchObject({
      commission_rate: '0.5',
      settled_by: null,
      unpaid_refusal: null,
      payments: [],
    });
    expect((await timeline(id)).events).toMatchObject([
      { kind: 'message', state: 'under_way', detail: 'invoice_created' },
      { kind: 'invoiced', actor: 'system', actor_name: null, amount: '80' },
      { kind: 'positions_closed', count: 2 },
    ]);

    await world.pay(trader.id, usdt(30));
    await world.pay(trader.id, usdt(101) / 2n);
    const after = (await detail(id)).data;
    expect(
      after.split.filter(({ recipient_type }) => recipient_type !== 'tip').map(({ state }) => state),
    ).toEqual(before.split.map(() => 'due'));
    expect(after.split.at(-1)).toMatchObject({ recipient_type: 'tip', amount: '0.5', state: 'due' });
    expect(after.payments.map(({ amount, tip }) => [amount, tip])).toEqual([
      ['30', '0'],
      ['50.5', '0.5'],
    ]);
    expect(after).toMatchObject({ settled_by: 'chain', unpaid_refusal: 'invoice_paid_on_chain' });
    const booked = (await timeline(id)).events.filter(({ kind }) =>
      ['invoiced', 'payment_booked'].includes(kind),
    );
    expect(booked.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
      ['invoiced', '80'],
      ['payment_booked', '30'],
      ['payment_booked', '50.5'],
    ]);
  });

  test('says what its amount is made from, and what of it nothing explains', async () => {
    const { trader, id } = await invoiceOf('100', '60.000001');
    const made = {
      ...{ kind: 'positions', positions: 2, before_fees: 2, profit: '160.000001' },
      ...{ commission: '80.0000005', deducted: '0', unexplained: '0' },
    };
    expect((await detail(id)).data.basis).toEqual(made);
    await world.owner(
      'UPDATE closed_position SET fees_included = true WHERE invoice_id = $1 AND closed_pnl = 100',
      [id],
    );
    // As whoever changes the books by hand would do it.
    await tamperWith(
      world,
      ['closed_position'],
      `UPDATE closed_position SET closed_pnl = 58 WHERE invoice_id = '${id}' AND closed_pnl < 100`,
    );
    expect((await detail(id)).data.basis).toMatchObject({
      ...{ before_fees: 1, profit: '158', commission: '79', unexplained: '1.0000005' },
    });
    // An invoice from another system, whose positions were never read.
    await world.addInvoices(trader.id);
    const imported = (await world.invoicesOf(trader.id)).find(({ positions }) => positions === 0);
    const bare = (await detail(imported?.id as string)).data as Detail & { amount: string };
    expect(bare.basis).toMatchObject({ positions: 0, profit: '0', unexplained: bare.amount });
  });

  test('shows the off-platform settlement and its reason', async () => {
    const { trader, id } = await invoiceOf('568');
    expect((await detail(id)).data.off_platform).toEqual([]);
    await world.pay(trader.id, usdt(232));
    await call('PATCH /api/invoices/{id}/status', { params: { id }, body: { is_paid: true } });
    const paid = (await detail(id)).data;
    expect(paid).toMatchObject({
      on_chain_amount: '232',
      off_platform: [{ amount: '52', reason: 'marked_paid' }],
    });
    const [message] = await world.owner<{ text: string }>(
      `SELECT text FROM message WHERE invoice_id = $1 AND kind = 'invoice_paid'`,
      [id],
    );
    const text = message?.text.replace(/[\u2066-\u2069]|<\/?code>/g, '');
    expect(text).toContain('232.00 USDT');
    expect(text).toContain('52.00 USDT');
  });

  test('lists markings and archiving in its timeline, newest first', async () => {
    const { id } = await invoiceOf('10');
    for (const is_paid of [true, false])
      await call('PATCH /api/invoices/{id}/status', { params: { id }, body: { is_paid } });
    await call('PATCH /api/invoices/{id}/archive', { params: { id }, body: { is_archived: true } });
    const acts = (await timeline(id)).events.filter(
      ({ kind }) => kind !== 'message' && kind !== 'positions_closed',
    );
    expect(acts.map(({ kind }) => kind)).toEqual([
      'archived',
      'marked_unpaid',
      'settled_by_hand',
      'invoiced',
    ]);
    expect(acts[0]?.actor_name).toBe('super@demo.example');
  });

  test('from before the ledger it shows what its row has', async () => {
    const [row] = await world.owner<{ id: string }>(
      `SELECT i.id FROM invoice i WHERE status = 'paid' AND settled_by = 'chain' AND NOT EXISTS (
         SELECT FROM ledger_account a WHERE a.owner_id = i.id) LIMIT 1`,
    );
    const { events } = await timeline(row?.id ?? '');
    const own = events.filter(({ kind }) => ['invoiced', 'payment_booked'].includes(kind));
    expect(own.map(({ kind, actor_name }) => [kind, actor_name])).toEqual([
      ['payment_booked', null],
      ['invoiced', null],
    ]);
  });

  test('is missing for staff of another provider', async () => {
    const { id, trader } = await invoiceOf('10');
    const staffProvider = await providerOf('staff');
    const expected = trader.providerId === staffProvider ? 200 : 404;
    expect((await detail(id, 'staff')).status).toBe(expected);
    const [foreign] = await world.owner<{ id: string }>(
      'SELECT id FROM invoice WHERE provider_id <> $1 LIMIT 1',
      [staffProvider],
    );
    for (const key of ['GET /api/invoices/{id}', 'GET /api/invoices/{id}/positions'] as const)
      expect(await call(key, { params: { id: foreign?.id ?? '' } }, 'staff')).toMatchObject({
        status: 404,
        error: 'not_found',
      });
  });
});

describe('the positions of an invoice', () => {
  test('come in pages, with the profit of all of them', async () => {
    const { id } = await invoiceOf('1', '2.5', '3', '-4');
    const page = await call('GET /api/invoices/{id}/positions', { params: { id }, query: { limit: '2' } });
    expect(page.meta).toEqual({ total: 3, profit: '6.5' });
    expect(page.data).toHaveLength(2);
  });

  test('show staff no position of an account of another provider, and no trace of it in the sum', async () => {
    const mine = await providerOf('staff');
    const [other] = await world.owner<{ id: string }>('SELECT id FROM provider WHERE id <> $1 LIMIT 1', [
      mine,
    ]);
    const trader = await world.addTrader({ selected_provider_id: mine });
    const foreign = { id: trader.id, providerId: other?.id ?? '' };
    const elsewhere = await world.addAccount(foreign, { exchange: 'okx' });
    await world.addPositions(trader, '10');
    await world.invoice();
    const [invoice] = await world.invoicesOf(trader.id);
    // Invoices of before were of all accounts of a trader.
    await world.addPositions({ ...foreign, accountId: elsewhere }, '1000');
    await world.owner('UPDATE closed_position SET invoice_id = $2 WHERE account_id = $1', [
      elsewhere,
      invoice?.id,
    ]);
    expect(invoice).toMatchObject({ provider_id: mine });
    const seen = await call(
      'GET /api/invoices/{id}/positions',
      { params: { id: invoice?.id ?? '' }, query: {} },
      'staff',
    );
    expect(seen.meta).toEqual({ total: 1, profit: '10' });
    expect(JSON.stringify(seen.data)).not.toContain(elsewhere);
  });
});

describe('runs', () => {
  test('start for one trader, run in the worker, and are reported', async () => {
    const [one, other] = [await world.addTrader(), await world.addTrader()];
    for (const trader of [one, other]) await world.addPositions(trader, '10');
    const begin = () => call('POST /api/invoices/runs', { body: { trader_id: one.id } });
    const first = await begin();
    expect(first.status).toBe(201);
    // Under way already: the same one again.
    expect((await begin()).data).toEqual(first.data);
    await takeInvoicingTurn(world.turnDeps());
    expect(await world.invoicesOf(one.id)).toHaveLength(1);
    expect(await world.invoicesOf(other.id)).toHaveLength(0);
    const { id } = first.data as { id: string };
    expect((await call('GET /api/invoices/runs/{id}', { params: { id } })).data).toMatchObject({
      state: 'done',
      traders: 1,
      positions: 1,
      invoices: 1,
      amount: '5',
      problem_count: 0,
      problems: [],
      messages: { waiting: 1, failed: 0 },
    });
    // Of another run at the same time, each has the messages that it wrote.
    await world.addPositions(one, '10');
    const second = (await begin()).data as { id: string };
    await takeInvoicingTurn(world.turnDeps());
    await world.owner("UPDATE invoicing_run SET finished_at = now() + interval '1 minute' WHERE id = $1", [
      id,
    ]);
    for (const run of [id, second.id])
      expect((await call('GET /api/invoices/runs/{id}', { params: { id: run } })).data).toMatchObject({
        messages: { waiting: 1, failed: 0 },
      });
    await world.owner("UPDATE message SET state = 'failed' WHERE state = 'queued'");
    expect((await call('GET /api/invoices/runs/{id}', { params: { id } })).data).toMatchObject({
      messages: { waiting: 0, failed: 1 },
    });
    const [latest] = (await call('GET /api/invoices/runs', { query: { limit: '1' } })).data as {
      id: string;
    }[];
    expect(latest?.id).toBe(second.id);
  });

  test.each([
    [{ trader_id: randomUUID() }, 404],
    [{ community_id: randomUUID() }, 404],
    [{ trader_id: randomUUID(), community_id: randomUUID() }, 400],
    [{ trader_id: 'x' }, 400],
    [{ provider_id: randomUUID() }, 400],
  ])('%j is answered %i', async (body, status) => {
    expect((await call('POST /api/invoices/runs', { body: body as never })).status).toBe(status);
  });
});

test('views are kept by person, replaced by name, and invisible to others', async () => {
  const save = (name: string, query: string, as: string) =>
    call('POST /api/saved-views', { body: { screen: 'invoices', name, query } }, as);
  const list = async (as: string) =>
    (await call('GET /api/saved-views', { query: { screen: 'invoices' } }, as)).data as {
      id: string;
      name: string;
      query: string;
    }[];
  await save('Overdue', 'overdue=true', 'staff');
  await save('Overdue', 'overdue=true&exchange=okx', 'staff');
  await save('all', '', 'staff');
  await save('Overdue', 'mine', 'super');
  expect((await list('staff')).map(({ name, query }) => [name, query])).toEqual([
    ['all', ''],
    ['Overdue', 'overdue=true&exchange=okx'],
  ]);
  const [view] = await list('super');
  const forget = (as: string) => call('DELETE /api/saved-views/{id}', { params: { id: view?.id ?? '' } }, as);
  expect((await forget('staff')).status).toBe(404);
  expect((await forget('super')).status).toBe(200);
  expect(await list('super')).toEqual([]);
  expect(await list('staff')).toHaveLength(2);
});
