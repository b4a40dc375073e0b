import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import { RECALL_REFUSALS } from '@copydesk/domain/invoices';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applicationUrlOf } from '../../../../../../tests/support/application-url.ts';
import { createOwingWorld, type OwingWorld } from '../../../../../../tests/support/world/owing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import type { SmallTrader } from '../../../../../../tests/support/world/traders.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: OwingWorld;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
// What one person may write off in a day begins again with each test.
beforeEach(() => world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`));

const reason = 'Issued with the rate of another community';
type Answer = { status: number; body: { data: Record<string, unknown> } & Record<string, unknown> };
const call = <K extends Call>(key: K, input: CallInput<K>, as = world.token) =>
  world.ask(key, input, {}, as) as unknown as Promise<Answer>;
type Selected = Omit<CallInput<'POST /api/invoices/admin/recall'>['body'], 'reason'>;
const recall = (selected: Selected, as = world.token) =>
  call('POST /api/invoices/admin/recall', { body: { ...selected, reason } }, as);
const recallOne = (id: string, as = world.token) => recall({ invoice_ids: [id] }, as);
const preview = async (selected: Selected) =>
  (await call('POST /api/invoices/admin/preview', { body: { act: 'recall', ...selected } })).body.data;
const detailOf = async (id: string) =>
  (await call('GET /api/invoices/{id}', { params: { id } })).body
    .data as unknown as CallAnswer<'GET /api/invoices/{id}'>['data'];

/** A trader with an invoice of each amount, each of one position. */
async function owing(...amounts: number[]) {
  const trader = await world.addTrader();
  for (const amount of amounts) {
    await world.addPositions(trader, String(2 * amount));
    await world.invoice();
  }
  return { trader, ids: (await world.invoicesOf(trader.id)).map(({ id }) => id) };
}
const runOf = async (id: string | undefined) => {
  const [row] = await world.owner<{ run: string }>(
    'SELECT invoicing_run_id AS run FROM invoice WHERE id = $1',
    [id],
  );
  return row?.run ?? '';
};
const messagesOf = (trader: SmallTrader) =>
  world.owner<{ kind: string; state: string; text: string }>(
    'SELECT kind, state, text FROM message WHERE trader_id = $1 ORDER BY created_at',
    [trader.id],
  );
const standing = async (trader: SmallTrader) =>
  (await world.invoicesOf(trader.id)).map(({ amount, status, positions }) => [amount, status, positions]);

describe('an invoice for which nothing was paid', () => {
  test('is cancelled, its positions are due again, and the next run charges the same', async () => {
    const { trader, ids } = await owing(312);
    const [id = ''] = ids;
    const before = await detailOf(id);
    expect(before).toMatchObject({ status: 'pending', recall_refusal: null });
    const answer = await recallOne(id);
    expect([answer.status, answer.body.data]).toEqual([200, { changed: 1, unchanged: 0 }]);
    const after = await detailOf(id);
    expect(after).toMatchObject({
      status: 'cancelled',
      recall_refusal: 'cancelled',
    });
    const timeline = await call('GET /api/timeline', { query: { subject_kind: 'invoice', subject_id: id } });
    const { events } = timeline.body.data as unknown as CallAnswer<'GET /api/timeline'>['data'];
    const own = events.filter(({ kind }) => kind === 'recalled' || kind === 'invoiced');
    expect(own).toMatchObject([{ kind: 'recalled', actor_name: 'super@demo.example' }, { kind: 'invoiced' }]);
    // It still says what it charged.
    const positions = await call('GET /api/invoices/{id}/positions', { params: { id }, query: {} });
    expect(positions.body).toMatchObject({
      data: [{ closed_pnl: '624' }],
      meta: { total: 1, profit: '624' },
    });
    expect((await world.auditOf(id)).at(-1)).toMatchObject({
      action: 'invoice.recalled',
      before: { status: 'pending' },
      after: { status: 'cancelled', amount_units: usdt(312).toString(), reason },
    });
    // No message about it had been sent, so none has to be taken back.
    expect(await messagesOf(trader)).toEqual([]);
    expect(await findUnsound(world)).toEqual({});

    await world.invoice();
    expect(await standing(trader)).toEqual([
      [usdt(312).toString(), 'cancelled', 0],
      [usdt(312).toString(), 'pending', 1],
    ]);
    await world.pay(trader.id, usdt(312));
    expect((await world.invoicesOf(trader.id)).map(({ status, paid }) => [status, paid])).toEqual([
      ['cancelled', '0'],
      ['paid', usdt(312).toString()],
    ]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('whose trader knows of it is taken back in a message, in its language', async () => {
    const { trader, ids } = await owing(50);
    await world.owner(`UPDATE message SET state = 'sent', sent_at = now() WHERE trader_id = $1`, [trader.id]);
    await world.owner(`UPDATE trader SET language = 'es' WHERE id = $1`, [trader.id]);
    expect((await recallOne(ids[0] ?? '')).status).toBe(200);
    expect(await messagesOf(trader)).toEqual([
      expect.objectContaining({ kind: 'invoice_created', state: 'sent' }),
      expect.objectContaining({ kind: 'invoice_recalled', text: expect.stringContaining('no la pague') }),
    ]);
  });

  test('whose message did not arrive is no longer one that waits for a person', async () => {
    const { trader, ids } = await owing(50);
    await world.owner(
      `UPDATE message SET state = 'failed', problem = 'blocked', attempts = 1 WHERE trader_id = $1`,
      [trader.id],
    );
    const outcomes = async () =>
      (await call('GET /api/messages', { query: { trader_id: trader.id } })).body.data as unknown as {
        kind: string;
        outcome: string;
      }[];
    expect(await outcomes()).toMatchObject([{ outcome: 'not_delivered' }]);
    expect((await recallOne(ids[0] ?? '')).status).toBe(200);
    expect(await outcomes()).toMatchObject([{ kind: 'invoice_created', outcome: 'overtaken' }]);
  });

  test('is paid or recalled, and never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { trader, ids } = await owing(40);
      const [answer] = await Promise.all([recallOne(ids[0] ?? ''), world.pay(trader.id, usdt(40))]);
      const [[, status, positions] = []] = await standing(trader);
      expect([answer.status, status, positions]).toEqual(
        answer.status === 200 ? [200, 'cancelled', 0] : [409, 'paid', 1],
      );
    }
    expect(await findUnsound(world)).toEqual({});
  });

  test('two people who recall it at once recall it once', async () => {
    const { trader, ids } = await owing(30);
    const [id = ''] = ids;
    const answers = await Promise.all([recallOne(id), recallOne(id, world.other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await world.invoice();
    expect((await standing(trader)).map(([, status]) => status)).toEqual(['cancelled', 'pending']);
    expect(await findUnsound(world)).toEqual({});
  });
});

describe('what cannot be recalled', () => {
  test('is refused with its reason alone, and stays among others', async () => {
    const { trader, ids } = await owing(10, 11, 12, 13, 14, 15);
    const [cancelled = '', paid = '', archived = '', corrected = '', open = '', later = ''] = ids;
    expect((await recallOne(cancelled)).status).toBe(200);
    await world.pay(trader.id, usdt(11));
    await world.owner(
      `UPDATE closed_position SET corrected_pnl = closed_pnl - 1, corrected_at = now() WHERE invoice_id = $1`,
      [corrected],
    );
    const archive = { invoice_ids: [archived], is_archived: true, reason };
    expect((await call('PATCH /api/invoices/admin/archive', { body: archive })).status).toBe(200);
    const [imported] = await world.addInvoices(trader.id);
    const facts = { cancelled, paid, archived, corrected, imported: String(imported) };
    for (const [why, id] of Object.entries(facts)) {
      expect([why, (await detailOf(id)).recall_refusal]).toEqual([why, why]);
      expect(await recallOne(id)).toMatchObject({ status: 409, body: { error: 'invoice_not_recallable' } });
      expect(RECALL_REFUSALS).toContain(why);
    }
    const all = { invoice_ids: [...Object.values(facts), open, later], expected_count: 7 };
    expect(await preview(all)).toMatchObject({
      selected: 7,
      changing: 2,
      sum: '29',
      given_up: '0',
      left_out: Object.keys(facts)
        .sort()
        .map((why) => ({ reason: why, invoices: 1 })),
    });
    expect((await recall(all)).body.data).toEqual({ changed: 2, unchanged: 5 });
    expect(await findUnsound(world)).toEqual({});
  });

  test('a payment on its way holds it', async () => {
    const { trader, ids } = await owing(20);
    await world.owner(
      `INSERT INTO incoming_transfer (chain_id, transaction_hash, log_index, trader_id, block_number, amount_units)
       VALUES (56, '0x' || repeat('ab', 32), 0, $1, 1, $2)`,
      [trader.id, usdt(20).toString()],
    );
    const answer = await recallOne(ids[0] ?? '');
    expect(answer).toMatchObject({ status: 409, body: { error: 'invoice_not_recallable' } });
    expect(answer.body.message).toContain('on its way');
    await world.owner('DELETE FROM incoming_transfer WHERE trader_id = $1', [trader.id]);
  });

  test('only super admins recall', async () => {
    const { ids } = await owing(20);
    expect((await recallOne(ids[0] ?? '', await world.signIn('staff'))).status).toBe(403);
  });
});

describe('a run', () => {
  test('is recalled as a whole, but for what was paid, and says how much of it was', async () => {
    const traders = [await world.addTrader(), await world.addTrader(), await world.addTrader()];
    for (const trader of traders) await world.addPositions(trader, '100');
    await world.invoice();
    const [first] = await world.invoicesOf(traders[0]?.id ?? '');
    const id = await runOf(first?.id);
    await world.pay(traders[1]?.id ?? '', usdt(50));
    expect(await preview({ run_id: id })).toMatchObject({
      selected: 3,
      traders: 3,
      changing: 2,
      sum: '100',
      left_out: [{ reason: 'paid', invoices: 1 }],
    });
    expect(await recall({ run_id: id, expected_count: 2 })).toMatchObject({
      status: 409,
      body: { error: 'selection_changed' },
    });
    expect((await recall({ run_id: id, expected_count: 3 })).body.data).toEqual({ changed: 2, unchanged: 1 });
    const run = (await call('GET /api/invoices/runs/{id}', { params: { id } })).body.data;
    expect(run).toMatchObject({ invoices: 3, amount: '150', recalled: 2, recalled_amount: '100' });
    expect((await recall({ run_id: crypto.randomUUID() })).status).toBe(404);
    expect(await findUnsound(world)).toEqual({});
  });
});

describe('above what one person may write off', () => {
  test('another one approves, and what was paid meanwhile refuses all of it', async () => {
    const { trader, ids } = await owing(700, 700);
    const asked = await recall({ invoice_ids: ids });
    expect(asked).toMatchObject({ status: 202, body: { data: { state: 'awaiting_approval' } } });
    const params = { id: String(asked.body.data.order_id) };
    expect(await standing(trader)).toEqual(ids.map(() => [usdt(700).toString(), 'pending', 1]));
    expect((await call('POST /api/orders/{id}/approve', { params })).status).toBe(403);
    await world.pay(trader.id, usdt(700));
    expect(await call('POST /api/orders/{id}/approve', { params }, world.other)).toMatchObject({
      status: 409,
      body: { error: 'order_changed' },
    });
    expect((await call('POST /api/orders/{id}/decline', { params }, world.other)).status).toBe(200);

    const more = await owing(1_500);
    const [id = ''] = more.ids;
    const waits = await recallOne(id);
    const order = { id: String(waits.body.data.order_id) };
    expect((await call('POST /api/orders/{id}/approve', { params: order }, world.other)).status).toBe(200);
    expect((await world.auditOf(id)).at(-1)).toMatchObject({ action: 'invoice.recalled', after: { reason } });
    expect(await standing(more.trader)).toEqual([[usdt(1_500).toString(), 'cancelled', 0]]);
    expect(await findUnsound(world)).toEqual({});
  });
});

test('the login of the API frees no position by any other way', async () => {
  const { ids } = await owing(10);
  const [id = ''] = ids;
  const client = new pg.Client({ connectionString: await applicationUrlOf(world.ownerUrl) });
  await client.connect();
  const attempt = async (...steps: string[]): Promise<string> => {
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('copydesk.scope', 'all', true)`);
      for (const step of steps) await client.query(step);
      return 'done';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.query('ROLLBACK');
    }
  };
  expect(await attempt(`SELECT app.recall_invoices('{${id}}')`)).toBe(
    'an unpaid invoice is recalled by an order',
  );
  expect(await attempt(`UPDATE invoice SET recalled_at = now() WHERE id = '${id}'`)).toContain(
    'permission denied',
  );
  const free = `UPDATE closed_position SET invoice_id = NULL WHERE invoice_id = '${id}'`;
  expect(await attempt(free)).toMatch(/was invoiced|permission denied/);
  await client.end();
  // Nor does its owner, but in the transaction that recalls the invoice.
  await expect(world.owner(free)).rejects.toThrow('was invoiced');
  expect((await recallOne(id)).status).toBe(200);
});
