import { createHash } from 'node:crypto';
import type { CallAnswer } from '@copydesk/contract';
import { STATEMENT_OWNERS, statementAccounts } from '@copydesk/domain/ledger';
import { decimalToUnits } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../tests/support/world/invoicing-world.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';

let world: InvoicingWorld;
let token: string;
beforeAll(async () => {
  world = await createInvoicingWorld();
  token = await world.signIn('super');
});
afterAll(() => world.close());

type Statement = CallAnswer<'GET /api/statements'>;
type Balances = CallAnswer<'GET /api/statements/balances'>['data'];

const ask = async (query: Record<string, string>, path = '') => {
  const answer = await send(world.app, `GET /api/statements${path}`, { query }, token);
  return { status: answer.statusCode, body: answer.body, json: () => answer.json() };
};
const read = async (query: Record<string, string>): Promise<Statement> => {
  const answer = await ask(query);
  expect(answer.status, answer.body).toBe(200);
  return answer.json();
};
const balances = async (query: Record<string, string>): Promise<Balances['balances']> => {
  const answer = await ask(query, '/balances');
  expect(answer.status, answer.body).toBe(200);
  return answer.json().data.balances;
};
const units = (amount: string) => decimalToUnits(amount) ?? 0n;
const rise = (count: number) => new Date(Date.UTC(2026, 0, 1 + count)).toISOString();

async function payingTrader() {
  const trader = await world.addTrader();
  await world.addPositions(trader, '100', '60');
  await world.invoice();
  await world.pay(trader.id, usdt(30));
  await world.pay(trader.id, usdt(51));
  return { owner_kind: 'trader', owner_id: trader.id };
}

test('what a trader owes: invoiced, paid in parts, and the balance after each', async () => {
  const owner = await payingTrader();
  const { data, meta } = await read({ ...owner, account: 'receivable' });
  expect(data.map(({ kind, change, balance }) => [kind, change, balance])).toEqual([
    ['invoice_paid', '-50', '0'],
    ['invoice_paid', '-30', '50'],
    ['invoice_issued', '80', '80'],
  ]);
  expect(meta).toEqual({ total: 3, opening: '0', increase: '80', decrease: '80', closing: '0' });
  const [invoice] = await world.invoicesOf(owner.owner_id);
  for (const { invoice_id } of data) expect(invoice_id).toBe(invoice?.id);
  const paged = await read({ ...owner, account: 'receivable', limit: '1', offset: '1' });
  expect(paged.data).toEqual([data[1]]);
  expect(paged.meta).toEqual(meta);
});

test('a closing balance is the next opening one, whatever the moments, and the balance as of then', async () => {
  const owner = await payingTrader();
  // The books of a quarter: the ledger itself takes no time but its own.
  await world.owner(`ALTER TABLE journal DISABLE TRIGGER journal_append_only`);
  const journals = await world.owner<{ id: string }>(
    `SELECT DISTINCT j.id FROM journal j JOIN posting p ON p.journal_id = j.id JOIN ledger_account a ON a.id = p.account_id
     WHERE a.owner_id = $1 OR a.owner_id IN (SELECT id FROM invoice WHERE trader_id = $1)`,
    [owner.owner_id],
  );
  for (const [index, { id }] of journals.sort((a, b) => a.id.localeCompare(b.id)).entries())
    await world.owner('UPDATE journal SET created_at = $2 WHERE id = $1', [id, rise(index * 17)]);
  await world.owner(`ALTER TABLE journal ENABLE TRIGGER journal_append_only`);
  for (const account of ['receivable', 'trader_deposit', 'deposit_wallet']) {
    const whole = await read({ ...owner, account });
    let [closing, total] = ['0', 0];
    for (const days of [0, 1, 17, 18, 34, 35, 90]) {
      const [from, to] = [rise(days), rise([0, 1, 17, 18, 34, 35, 90, 400].find((each) => each > days) ?? 0)];
      const { data, meta } = await read({ ...owner, account, from, to });
      expect(meta.opening).toBe(closing);
      expect(units(meta.opening) + units(meta.increase) - units(meta.decrease)).toBe(units(meta.closing));
      expect(data.length).toBe(meta.total);
      if (data[0]) expect(data[0].balance).toBe(meta.closing);
      const then = (await balances({ ...owner, at: to })).find((each) => each.account === account);
      expect(then?.balance).toBe(meta.closing);
      [closing, total] = [meta.closing, total + meta.total];
    }
    expect([closing, total]).toEqual([whole.meta.closing, whole.meta.total]);
    expect(total).toBeGreaterThan(1);
  }
});

test('every balance of now is the closing one of its statement, for every kind of owner', async () => {
  const owners = await world.owner<{ owner_kind: string; owner_id: string }>(
    `SELECT 'trader' AS owner_kind, trader_id AS owner_id FROM (SELECT trader_id FROM invoice ORDER BY id DESC LIMIT 3) t
     UNION ALL SELECT 'community', id FROM (SELECT id FROM community ORDER BY id LIMIT 3) c
     UNION ALL SELECT 'invoice', id FROM (SELECT id FROM invoice WHERE status = 'paid' ORDER BY id DESC LIMIT 3) i
     UNION ALL SELECT 'pool', id FROM (SELECT id FROM pooled_account LIMIT 2) p
     UNION ALL SELECT 'member', id FROM (SELECT id FROM pool_member LIMIT 2) m`,
  );
  let seen = 0;
  for (const owner of [...owners, { owner_kind: 'platform' }]) {
    for (const { account, asset, balance } of await balances(owner)) {
      const { meta } = await read({ ...owner, account, asset });
      expect([owner, account, meta.closing]).toEqual([owner, account, balance]);
      seen += 1;
    }
  }
  expect(seen).toBeGreaterThan(10);
});

test('what is owed on imported invoices is said beside the books, until they are in them', async () => {
  const trader = await world.addTrader();
  const [id = ''] = await world.addInvoices(trader.id, { amount_units: usdt(40) });
  const of = { owner_kind: 'trader', owner_id: trader.id };
  const notBooked = async () => (await ask(of, '/balances')).json().data.not_booked;
  expect(await notBooked()).toEqual({ invoices: 1, amount: '40' });
  await world.pay(trader.id, usdt(15));
  expect(await notBooked()).toEqual({ invoices: 0, amount: '0' });
  expect((await balances(of)).find(({ account }) => account === 'receivable')?.balance).toBe('25');
  expect((await read({ owner_kind: 'invoice', owner_id: id, account: 'receivable' })).meta.closing).toBe(
    '25',
  );
});

test('the file has the movements, oldest first, and ends with its rows and a hash', async () => {
  const owner = await payingTrader();
  const { body, status } = await ask({ ...owner, account: 'receivable' }, '/export');
  expect(status).toBe(200);
  const rows = body.split('\r\n');
  expect(rows[0]).toContain('Booked at (UTC),Kind,Change,Balance after');
  expect(rows.slice(1, 4).map((row) => row.split(',').slice(1, 4))).toEqual([
    ['invoice_issued', '80', '80'],
    ['invoice_paid', '-30', '50'],
    ['invoice_paid', '-50', '0'],
  ]);
  const end = body.lastIndexOf('"End of file: 3 rows');
  const hash = createHash('sha256').update(body.slice(0, end)).digest('hex');
  expect(body.slice(end)).toContain(hash);
});

test('an owner that is not there, or has no such account, is not found', async () => {
  const owner = await payingTrader();
  const asked = async (query: Record<string, string>) => (await ask(query)).status;
  expect(await asked({ ...owner, owner_id: crypto.randomUUID(), account: 'receivable' })).toBe(404);
  expect(await asked({ owner_kind: 'trader', account: 'receivable' })).toBe(404);
  expect(await asked({ ...owner, account: 'pool_proxy' })).toBe(404);
  expect(await asked({ ...owner, owner_kind: 'pool', account: 'pool_proxy' })).toBe(404);
  for (const kind of STATEMENT_OWNERS) expect(statementAccounts(kind).length, kind).toBeGreaterThan(2);
});
