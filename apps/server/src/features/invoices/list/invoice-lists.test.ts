import { askedUnits } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { filterCases } from '../../../../../../tests/support/world/invoice-filter-cases.ts';
import {
  createInvoiceListWorld,
  type InvoiceListWorld,
  ids,
  type Query,
} from '../../../../../../tests/support/world/invoice-list-world.ts';
import { type ListedInvoice, shareByHand } from '../../../../../../tests/support/world/listed-invoices.ts';
import { units } from '../../../../../../tests/support/world/usdt.ts';

let world: InvoiceListWorld;
beforeAll(async () => {
  world = await createInvoiceListWorld();
});
afterAll(() => world.close());

const sum = (invoices: readonly ListedInvoice[]) =>
  invoices.reduce((total, { amount }) => total + units(amount), 0n);

test('every invoice is listed as it is stored, to the last unit', async () => {
  const stored = await asOwner<{ id: string; amount: string; paid: string; due: boolean }>(
    world.ownerUrl,
    `SELECT id, amount_units::text AS amount, paid_units::text AS paid,
       status = 'pending' AND NOT is_archived AND due_at < now() AS due FROM invoice`,
  );
  expect(ids(world.all)).toEqual(stored.map(({ id }) => id).sort());
  const listed = new Map(world.all.map((invoice) => [invoice.id, invoice]));
  for (const { id, amount, paid, due } of stored) {
    const invoice = listed.get(id) as ListedInvoice;
    expect(units(invoice.amount)).toBe(BigInt(amount));
    expect(units(invoice.paid_amount)).toBe(BigInt(paid));
    expect(invoice).toMatchObject({ is_overdue: due, is_paid: invoice.status === 'paid' });
  }
  expect(world.all.some((invoice) => invoice.is_overdue)).toBe(true);
});

test('the provider share is its split of the amount, 70 per cent where none is known, and nothing of a sale', async () => {
  const rows = await asOwner<{ id: string; split: string }>(
    world.ownerUrl,
    'SELECT id, payment_split_percentage::text AS split FROM provider',
  );
  const splits = new Map(rows.map(({ id, split }) => [id, split]));
  for (const invoice of world.all) expect(invoice.provider_share).toBe(shareByHand(invoice, splits));
  const unknown = world.all.filter(({ provider }) => provider === null);
  expect(new Set(unknown.map(({ invoice_type }) => invoice_type))).toEqual(
    new Set(['regular', 'exchange_bot']),
  );
});

test('a payer is asked for whole millionths, rounded up', async () => {
  for (const { amount, asked_amount } of world.all)
    expect(units(asked_amount)).toBe(askedUnits(units(amount)));
  expect(world.all.some(({ amount, asked_amount }) => amount !== asked_amount)).toBe(true);
});

test('amounts received on chain and settled elsewhere, also in the export', async () => {
  const stored = await asOwner<Record<'id' | 'status' | 'by' | 'amount' | 'paid' | 'off', string>>(
    world.ownerUrl,
    `SELECT id, status, settled_by AS by, amount_units::text AS amount, paid_units::text AS paid,
       off_platform_units::text AS off FROM invoice`,
  );
  const listed = new Map(world.all.map((invoice) => [invoice.id, invoice]));
  const answer = await world.ask('/api/invoices/export', { include_archived: 'true' });
  const [heading = '', ...lines] = linesOfCsv(answer.body);
  const at = heading.split(',').indexOf('Paid on chain (USDT)');
  expect(heading.split(',')[at + 1]).toBe('Settled off-platform (USDT)');
  const exported = new Map(lines.map((line) => [line.split(',').at(-1), line]));
  const kinds = new Set<string>();
  for (const { id, status, by, amount, paid, off } of stored) {
    const onChain = BigInt(paid) - BigInt(off);
    const isByHand = status === 'paid' && by === 'manual';
    const rest = BigInt(amount) - onChain;
    const elsewhere = isByHand ? (rest > 0n ? rest : 0n) : BigInt(off);
    if (elsewhere > 0n) kinds.add(isByHand ? 'by hand' : 'not on chain');
    const invoice = listed.get(id) as ListedInvoice;
    expect([units(invoice.on_chain_amount), units(invoice.off_platform_amount)]).toEqual([
      onChain,
      elsewhere,
    ]);
    expect(exported.get(id)).toContain(`,${invoice.on_chain_amount},${invoice.off_platform_amount},`);
  }
  expect([...kinds].sort()).toEqual(['by hand', 'not on chain']);
});

test.each([
  ['created_at', (i: ListedInvoice) => [Date.parse(i.created_at)]],
  ['updated_at', (i: ListedInvoice) => [Date.parse(i.updated_at)]],
  ['amount', (i: ListedInvoice) => [units(i.amount)]],
  ['status', (i: ListedInvoice) => [i.status, Date.parse(i.created_at)]],
] as const)('by %s, up and down, and pages join to the whole', async (orderBy, keysOf) => {
  for (const orderDir of ['asc', 'desc']) {
    const whole = await world.listAll({ orderBy, orderDir });
    expect(ids(whole)).toEqual(ids(world.all.filter((i) => !i.is_archived)));
    const way = orderDir === 'asc' ? 1 : -1;
    const compare = (a: ListedInvoice, b: ListedInvoice) => {
      const other = keysOf(b);
      const at = keysOf(a).findIndex((key, index) => key !== other[index]);
      if (at < 0) return a.id < b.id ? -way : way;
      return (keysOf(a)[at] as bigint) < (other[at] as bigint) ? -way : way;
    };
    expect(whole.map(({ id }) => id)).toEqual([...whole].sort(compare).map(({ id }) => id));
    const pages: ListedInvoice[] = [];
    for (let offset = 0; offset < whole.length; offset += 97)
      pages.push(...(await world.listAll({ orderBy, orderDir, limit: '97', offset: String(offset) })));
    expect(pages).toEqual(whole);
  }
});

test.each(filterCases(() => world.all))('%s: list and totals', async (_name, queryOf, fits) => {
  const query = queryOf();
  const wanted = world.all.filter(fits);
  const current = wanted.filter((i) => !i.is_archived);
  const answer = (await world.ask('/api/invoices/admin/all', { ...query, limit: '10000' })).json();
  expect(ids(answer.data)).toEqual(ids(current));
  expect(answer.meta.total).toBe(current.length);
  expect(units(answer.meta.total_amount)).toBe(sum(current));
  expect(ids(await world.listAll({ ...query, include_archived: 'true' }))).toEqual(ids(wanted));
});

test.each(['staff', 'staff-multi'])('%s see invoices and sums of their own providers only', async (who) => {
  const mine = await world.providersOf(who);
  const seen = world.all.filter((invoice) => invoice.provider && mine.includes(invoice.provider.id));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.length).toBeLessThan(world.all.length);
  expect(ids(await world.listAll({ include_archived: 'true' }, who))).toEqual(ids(seen));
  const { meta } = (await world.ask('/api/invoices/admin/all', { include_archived: 'true' }, who)).json();
  expect(meta.total).toBe(seen.length);
  expect(units(meta.total_amount)).toBe(sum(seen));
});

test('archived invoices are listed by themselves, and so are the others', async () => {
  const all = await world.listAll({ include_archived: 'true' });
  for (const is_archived of [true, false]) {
    const wanted = all.filter((invoice) => invoice.is_archived === is_archived);
    expect(wanted.length).toBeGreaterThan(0);
    const query = { is_archived: String(is_archived), include_archived: 'true' };
    expect(ids(await world.listAll(query))).toEqual(ids(wanted));
  }
});

test('a trader and a community have their invoices, under the keys that their screens read', async () => {
  const { trader_id, community_id } = world.all.find((i) => !i.is_archived) as ListedInvoice;
  const ofTrader = world.all.filter((i) => i.trader_id === trader_id && !i.is_archived);
  const answer = (await world.ask('/api/traders/{id}/invoices', {}, 'super', trader_id)).json();
  expect(ids(answer.invoices)).toEqual(ids(ofTrader));
  expect(answer).toMatchObject({
    success: true,
    total_count: ofTrader.length,
    meta: { total: ofTrader.length },
  });
  const same = (await world.ask('/api/invoices/trader/{id}', {}, 'super', trader_id)).json();
  expect(same.data).toEqual(answer.invoices);
  const ofCommunity = (
    await world.ask('/api/invoices/community/{id}', { limit: '10000' }, 'super', community_id)
  ).json();
  expect(ids(ofCommunity.data)).toEqual(
    ids(world.all.filter((i) => i.community_id === community_id && !i.is_archived)),
  );
});

test('parameters outside the specification are refused', async () => {
  for (const wrong of [
    { limit: '0' },
    { limit: '-1' },
    { offset: '-1' },
    { status: 'open' },
    { invoice_type: 'bot' },
    { orderBy: 'id' },
    { orderDir: 'up' },
    { min_amount: '-1' },
    { created_at_from: 'yesterday' },
    { unknown: 'x' },
    { trader_id: '1' },
    { is_overdue: 'yes' },
  ] as unknown as Query[]) {
    const answer = await world.ask('/api/invoices/admin/all', wrong);
    expect(answer.statusCode, JSON.stringify(wrong)).toBe(400);
    expect(answer.json().error).toBe('validation_failed');
  }
  expect((await world.ask('/api/invoices/admin/groups', { orderBy: 'status' })).statusCode).toBe(400);
  expect((await world.ask('/api/invoices/admin/groups', { tab: 'open' })).statusCode).toBe(400);
});

test('the export has the same rows in the same order', async () => {
  const query = { orderBy: 'amount', orderDir: 'asc', is_paid: 'true' };
  const answer = await world.ask('/api/invoices/export', query);
  expect(answer.headers['content-type']).toContain('text/csv');
  const [heading, ...lines] = linesOfCsv(answer.body);
  expect(heading).toContain('Created,Updated,Reference Number,Trader,Community,Provider');
  expect(lines.map((row) => row.split(',').at(-1))).toEqual((await world.listAll(query)).map(({ id }) => id));
});
