import { expect, test } from 'vitest';
import type { ClosedPosition } from '../../apps/server/src/integrations/exchanges/gateway.ts';
import { beginTransaction } from '../../apps/server/src/platform/db/begin.ts';
import { send } from '../support/send.ts';
import { useClosingWorld } from '../support/world/closing-world.ts';
import { addBareTrader } from '../support/world/traders.ts';

// What an exchange corrects of a close that was invoiced, and its deduction from later invoices.

const world = useClosingWorld();
const { owner, spare, bybitProviders, connect, remove, close, read, invoicesOf, readAndInvoice } = world;

test('a profit that the exchange corrects after it was invoiced stays invoiced, with the correction beside it', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  await connect(trader, a);
  close('100', 'corrected');
  await readAndInvoice();
  const stored = () =>
    owner(
      `SELECT trim_scale(closed_pnl)::text AS pnl, trim_scale(corrected_pnl)::text AS corrected FROM closed_position
       WHERE trader_id = $1`,
      [trader],
    );
  (world.closes[0] as ClosedPosition).closedPnl = '99.995';
  await read();
  expect(await stored()).toEqual([{ pnl: '100', corrected: null }]);
  (world.closes[0] as ClosedPosition).closedPnl = '40';
  await readAndInvoice();
  expect(await stored()).toEqual([{ pnl: '100', corrected: '40' }]);
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  (world.closes[0] as ClosedPosition).closedPnl = '100';
  await read();
  expect(await stored()).toEqual([{ pnl: '100', corrected: null }]);
});

test('super admins see what differs until they leave it as it is, and again once it changes', async () => {
  const [a, b] = await bybitProviders();
  const trader = await addBareTrader(owner);
  const list = async (as = world.token) => {
    const answer = await send(
      world.product.app,
      'GET /api/invoices/differences',
      { query: { limit: '100' } },
      as,
    );
    expect(answer.statusCode, answer.body).toBe(200);
    return (
      answer.json().data as { kind: string; id: string; seen: string; trader: { id: string } }[]
    ).filter((row) => row.trader.id === trader);
  };
  const dismiss = async (
    { kind, id, seen }: { kind: string; id: string; seen: string },
    as = world.token,
  ) => {
    const call = { body: { kind, id, seen } } as never;
    return (await send(world.product.app, 'POST /api/invoices/differences/dismiss', call, as)).statusCode;
  };
  await connect(trader, a);
  close('100', 'listed');
  await readAndInvoice();
  expect(await list()).toEqual([]);
  const [corrected] = world.closes as [ClosedPosition];
  corrected.closedPnl = '40';
  await read();
  await remove(trader, true);
  // As a version before left it: the same close, invoiced under another account.
  await owner(
    `WITH account AS (
       INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid, removed_at)
       VALUES ($1, $2, 'bybit', $3, now()) RETURNING id)
     INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, closed_pnl, closed_at,
       invoice_id, double_of)
     SELECT account.id, $1, $2, 'listed', 'BTCUSDT', 'long', 100, now(), i.id, p.id
     FROM account, invoice i, closed_position p WHERE i.trader_id = $1 AND p.trader_id = $1`,
    [trader, b, spare().accUid],
  );
  const found = await list();
  expect(new Set(found.map(({ kind }) => kind))).toEqual(
    new Set(['corrected_close', 'doubled_close', 'unread_closes']),
  );
  expect(found).toContainEqual(
    expect.objectContaining({
      kind: 'corrected_close',
      invoiced_profit: '100',
      reported_profit: '40',
      amount: '30',
    }),
  );
  expect(found).toContainEqual(expect.objectContaining({ kind: 'doubled_close', amount: '50' }));
  expect(found).toContainEqual(expect.objectContaining({ kind: 'unread_closes', amount: null }));
  const staff = await world.product.signIn('staff');
  expect(await dismiss(found[0] as (typeof found)[0], staff)).toBe(403);
  const [first, second] = await Promise.all([
    dismiss(found[0] as (typeof found)[0]),
    dismiss(found[0] as (typeof found)[0]),
  ]);
  expect([first, second].sort()).toEqual([200, expect.toBeOneOf([200, 404])]);
  for (const row of found.slice(1)) expect(await dismiss(row)).toBe(200);
  expect(await list()).toEqual([]);
  expect(
    (await owner('SELECT FROM difference_decision WHERE subject_id = ANY ($1)', [found.map(({ id }) => id)]))
      .length,
  ).toBe(3);

  await connect(trader, a);
  corrected.closedPnl = '55';
  await read();
  expect(await list()).toMatchObject([{ kind: 'corrected_close', seen: '55', amount: '22.5' }]);
});

test('what an exchange corrected is deducted from the next invoices until it is used up', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  const mine = async () => {
    const query = { query: { limit: '100' } };
    const answer = await send(world.product.app, 'GET /api/invoices/differences', query, world.token);
    expect(answer.statusCode, answer.body).toBe(200);
    type Row = { kind: string; id: string; seen: string; trader: { id: string } };
    return (answer.json().data as Row[]).filter((row) => row.trader.id === trader);
  };
  const open = async () => {
    const query = { query: { limit: '100' } };
    const answer = await send(world.product.app, 'GET /api/invoices/deductions', query, world.token);
    expect(answer.statusCode, answer.body).toBe(200);
    type Row = { id: string; left: string; trader: { id: string } };
    return (answer.json().data as Row[]).filter((row) => row.trader.id === trader);
  };
  const decide = async (what: 'deduct' | 'dismiss', { kind, id, seen }: Record<string, string>) => {
    const call = { body: { kind, id, seen } } as never;
    return (await send(world.product.app, `POST /api/invoices/differences/${what}`, call, world.token))
      .statusCode;
  };
  await connect(trader, a);
  close('100', 'deducted');
  await readAndInvoice();
  (world.closes[0] as ClosedPosition).closedPnl = '40';
  await read();
  const [found] = await mine();
  expect(found).toMatchObject({ amount: '30', deducted: null });
  // Who owes nothing for the invoice, because it was given up, was charged nothing by it.
  const giveUp = (isArchived: boolean) =>
    owner('UPDATE invoice SET is_archived = $2 WHERE trader_id = $1', [trader, isArchived]);
  await giveUp(true);
  expect(await mine()).toMatchObject([{ amount: '0' }]);
  expect(await decide('deduct', found as never)).toBe(409);
  await giveUp(false);
  expect(await decide('deduct', { ...(found as never as Record<string, string>), seen: '41' })).toBe(404);
  const decided = await Promise.all([
    decide('deduct', found as never),
    decide('deduct', found as never),
    decide('dismiss', found as never),
  ]);
  expect(decided.filter((status) => status === 200)).toHaveLength(1);
  if (decided[2] === 200) {
    // Leaving it as it is was first: as if it had not been decided.
    await owner('DELETE FROM difference_decision WHERE subject_id = $1', [found?.id]);
    await owner('UPDATE closed_position SET is_correction_decided = false WHERE id = $1', [found?.id]);
    expect(await decide('deduct', found as never)).toBe(200);
  }
  expect(await mine()).toEqual([]);
  expect(await open()).toMatchObject([
    { amount: '30', used: '0', left: '30', decided_by: expect.any(String) },
  ]);

  // 20 is less than the deduction: it waits, and is invoiced with what comes later.
  close('40', 'waits');
  await readAndInvoice();
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }]);
  close('60', 'later');
  await readAndInvoice();
  expect(await invoicesOf(trader)).toMatchObject([{ amount: '50' }, { amount: '20' }]);
  expect(await open()).toEqual([]);
  const [invoice] = await owner<{ id: string; amount: string; parts: string; receivable: string }>(
    `SELECT i.id, i.amount_units::text AS amount,
       (SELECT sum((p ->> 'units')::numeric)::text FROM jsonb_array_elements(i.split) p) AS parts,
       (SELECT b.posted::text FROM ledger_account l JOIN ledger_balance b ON b.account_id = l.id
        WHERE l.kind = 'receivable' AND l.owner_id = i.id) AS receivable
     FROM invoice i WHERE i.trader_id = $1 ORDER BY i.created_at DESC LIMIT 1`,
    [trader],
  );
  const units = (20n * 10n ** 18n).toString();
  expect(invoice).toMatchObject({ amount: units, parts: units, receivable: units });
  const detail = await send(
    world.product.app,
    'GET /api/invoices/{id}',
    { params: { id: invoice?.id ?? '' } },
    world.token,
  );
  expect(detail.json().data).toMatchObject({
    amount: '20',
    deductions: [{ amount: '30', invoice_id: expect.any(String), symbol: 'BTCUSDT' }],
  });
  const [message] = await owner<{ text: string }>(
    `SELECT text FROM message WHERE invoice_id = $1 AND kind = 'invoice_created'`,
    [invoice?.id],
  );
  expect(message?.text).toContain('Deducted already');

  // A cancelled invoice gives it back, and a further correction is deducted as far as it goes beyond.
  await owner(`UPDATE invoice SET status = 'cancelled' WHERE id = $1`, [invoice?.id]);
  expect(await open()).toMatchObject([{ amount: '30', used: '0', left: '30' }]);
  await owner(`UPDATE invoice SET status = 'pending' WHERE id = $1`, [invoice?.id]);
  (world.closes[0] as ClosedPosition).closedPnl = '20';
  await read();
  const [further] = await mine();
  expect(further).toMatchObject({ amount: '10', deducted: '30' });
  expect(await decide('deduct', further as never)).toBe(200);
  expect(await open()).toMatchObject([{ amount: '10', left: '10' }]);

  // The exchange takes its correction back: the deduction stays in its list, until a person ends the rest, once.
  (world.closes[0] as ClosedPosition).closedPnl = '100';
  await read();
  expect(await mine()).toEqual([]);
  const [rest] = await open();
  expect(rest).toMatchObject({ amount: '10', used: '0', left: '10' });
  const end = async (left: string, as = world.token) => {
    const call = { params: { id: rest?.id ?? '' }, body: { left } };
    return (await send(world.product.app, 'POST /api/invoices/deductions/{id}/end', call, as)).statusCode;
  };
  expect(await end('10', await world.product.signIn('staff'))).toBe(403);
  expect(await end('9')).toBe(409);
  expect((await Promise.all([end('10'), end('10')])).sort()).toEqual([200, 409]);
  expect(await open()).toEqual([]);
  const audited = await owner(
    `SELECT FROM audit_entry WHERE action = 'invoice.deduction_ended' AND target_id = $1`,
    [trader],
  );
  expect(audited).toHaveLength(1);
  close('10', 'after');
  await readAndInvoice();
  expect((await invoicesOf(trader)).at(-1)).toMatchObject({ amount: '5' });
  // What was ended is deducted again where the exchange corrects again.
  (world.closes[0] as ClosedPosition).closedPnl = '25';
  await read();
  const [again] = await mine();
  expect(again).toMatchObject({ amount: '7.5', deducted: '30' });
  expect(await decide('deduct', again as never)).toBe(200);
  expect(await open()).toMatchObject([{ amount: '7.5', left: '7.5' }]);
});

test('the list of open differences reads no decided ones', async () => {
  const plan = await owner<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT FROM closed_position p WHERE p.corrected_pnl IS NOT NULL AND NOT p.is_correction_decided`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('closed_position_open_difference');
});

test('a deduction is open as long as something of it is left', async () => {
  const differing = await owner(
    'SELECT FROM invoice_deduction d WHERE d.is_open <> (app.deduction_left(d) > 0)',
  );
  expect(differing).toEqual([]);
  const states = await owner('SELECT DISTINCT is_open FROM invoice_deduction ORDER BY is_open');
  expect(states).toEqual([{ is_open: false }, { is_open: true }]);
});

/** One statement with the login of the API, which is taken back. */
async function asApi(text: string, values: readonly string[]) {
  const client = await world.product.db.pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: { kind: 'all' } });
    await client.query(text, [...values]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('the login of the API deducts no more than an exchange corrected', async () => {
  const [a] = await bybitProviders();
  const trader = await addBareTrader(owner);
  await connect(trader, a);
  close('100', 'bounded');
  await readAndInvoice();
  (world.closes[0] as ClosedPosition).closedPnl = '40';
  await read();
  const attempt = (units: string) =>
    asApi(
      `INSERT INTO invoice_deduction (kind, subject_id, seen, trader_id, community_id, provider_id, invoice_id,
            commission_rate, amount_units, split, decided_by, decided_by_id)
          SELECT 'corrected_close', p.id, '40', i.trader_id, i.community_id, i.provider_id, i.id, i.commission_rate,
            $1::numeric, jsonb_build_array(jsonb_build_object('recipient_type', 'mark', 'units', $1::text)),
            'x', 'x'
          FROM closed_position p JOIN invoice i ON i.id = p.invoice_id WHERE p.trader_id = $2`,
      [units, trader],
    );
  await expect(attempt((30n * 10n ** 18n + 1n).toString())).rejects.toThrow(/exchange corrected/);
  await attempt((30n * 10n ** 18n).toString());
});
