import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  groupByHand,
  type HandMadeGroup,
  type ListedInvoice,
  shareByHand,
  units,
} from '../support/invoices.ts';
import { asOwner } from '../support/owner.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

type Query = Record<string, string>;
type Group = HandMadeGroup & { trader: { id: string } | null; is_archived: boolean };

let product: TestApp;
const tokens: Record<string, string> = {};
/** Every invoice there is, archived ones included, as super admins are told. */
let all: ListedInvoice[];

beforeAll(async () => {
  product = await createTestApp({ scale: 0.2 });
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await product.signIn(persona);
  // What the demo world has none of: traders without a reference number or with an odd one, invoices of no known
  // provider, of a bot, overpaid, and of amounts that floating point would round.
  const prepare = (statement: string) => asOwner(product.ownerUrl, statement);
  await prepare(`UPDATE trader SET reference_number = NULL WHERE deposit_index % 7 = 0`);
  await prepare(`UPDATE trader SET reference_number = 'unknown' WHERE deposit_index = 1`);
  await prepare(
    `UPDATE trader SET reference_number = 'OddÄ_50%' || deposit_index WHERE deposit_index % 11 = 1`,
  );
  await prepare(`UPDATE invoice SET provider_id = NULL WHERE abs(hashtext(id::text)) % 9 = 0`);
  await prepare(`UPDATE invoice SET invoice_type = 'exchange_bot' WHERE abs(hashtext(id::text)) % 8 = 1`);
  await prepare(`UPDATE invoice SET paid_units = amount_units + 1 WHERE abs(hashtext(id::text)) % 10 = 2`);
  await prepare(
    `UPDATE invoice SET amount_units = amount_units + 1, updated_at = now() WHERE abs(hashtext(id::text)) % 5 = 3`,
  );
  all = await listAll({ include_archived: 'true' });
});
afterAll(() => product.close());

const ask = (call: string, query: Query = {}, who = 'super', id = '') =>
  send(product.app, `GET ${call}`, { params: { id }, query }, tokens[who]);
const listAll = async (query: Query, who = 'super'): Promise<ListedInvoice[]> =>
  (await ask('/api/invoices/admin/all', { limit: '10000', ...query }, who)).json().data;
const groupsOf = async (query: Query, who = 'super') =>
  (await ask('/api/invoices/admin/groups', { limit: '10000', ...query }, who)).json() as {
    data: Group[];
    meta: { total: number; counts: Record<string, number> };
  };
const ids = (invoices: readonly ListedInvoice[]) => invoices.map(({ id }) => id).sort();
const sum = (invoices: readonly ListedInvoice[]) =>
  invoices.reduce((total, { amount }) => total + units(amount), 0n);

test('every invoice is listed as it is stored, to the last unit', async () => {
  const stored = await asOwner<{ id: string; amount: string; paid: string; due: boolean }>(
    product.ownerUrl,
    `SELECT id, amount_units::text AS amount, paid_units::text AS paid,
       status = 'pending' AND NOT is_archived AND due_at < now() AS due FROM invoice`,
  );
  expect(ids(all)).toEqual(stored.map(({ id }) => id).sort());
  const listed = new Map(all.map((invoice) => [invoice.id, invoice]));
  for (const { id, amount, paid, due } of stored) {
    const invoice = listed.get(id) as ListedInvoice;
    expect(units(invoice.amount)).toBe(BigInt(amount));
    expect(units(invoice.paid_amount)).toBe(BigInt(paid));
    expect(invoice).toMatchObject({ is_overdue: due, is_paid: invoice.status === 'paid' });
  }
  expect(all.some((invoice) => invoice.is_overdue)).toBe(true);
});

test('the provider share is its split of the amount, and 70 per cent where no provider is known', async () => {
  const rows = await asOwner<{ id: string; split: string }>(
    product.ownerUrl,
    'SELECT id, payment_split_percentage::text AS split FROM provider',
  );
  const splits = new Map(rows.map(({ id, split }) => [id, split]));
  for (const invoice of all) expect(invoice.provider_share).toBe(shareByHand(invoice, splits));
  expect(all.some((invoice) => invoice.provider === null)).toBe(true);
});

test.each([
  ['created_at', (i: ListedInvoice) => [Date.parse(i.created_at)]],
  ['updated_at', (i: ListedInvoice) => [Date.parse(i.updated_at)]],
  ['amount', (i: ListedInvoice) => [units(i.amount)]],
  ['status', (i: ListedInvoice) => [i.status, Date.parse(i.created_at)]],
] as const)('by %s, up and down, and pages join to the whole', async (orderBy, keysOf) => {
  for (const orderDir of ['asc', 'desc']) {
    const whole = await listAll({ orderBy, orderDir });
    expect(ids(whole)).toEqual(ids(all.filter((i) => !i.is_archived)));
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
      pages.push(...(await listAll({ orderBy, orderDir, limit: '97', offset: String(offset) })));
    expect(pages).toEqual(whole);
  }
});

describe('every filter narrows list, totals, groups, counts and export alike', () => {
  const some = () => all.find((i) => i.status === 'pending' && i.provider && !i.is_archived) as ListedInvoice;
  const day = () => some().created_at.slice(0, 10);
  const median = () =>
    all
      .map((i) => Number(i.amount))
      .sort((a, b) => a - b)
      [all.length >> 1]?.toFixed(2) ?? '';
  const cases: [string, () => Query, (i: ListedInvoice) => boolean][] = [
    ['nothing', () => ({}), () => true],
    ['is_paid', () => ({ is_paid: 'true' }), (i) => i.is_paid],
    ['not is_paid', () => ({ is_paid: 'false' }), (i) => !i.is_paid],
    ['status', () => ({ status: 'cancelled' }), (i) => i.status === 'cancelled'],
    ['any status', () => ({ status: 'all' }), () => true],
    ['invoice_type', () => ({ invoice_type: 'exchange_bot' }), (i) => i.invoice_type === 'exchange_bot'],
    ['exchange', () => ({ exchange: 'bybit' }), (i) => i.exchange === 'bybit'],
    ['trader_id', () => ({ trader_id: some().trader_id }), (i) => i.trader_id === some().trader_id],
    [
      'community_id',
      () => ({ community_id: some().community_id }),
      (i) => i.community_id === some().community_id,
    ],
    [
      'provider_id',
      () => ({ provider_id: some().provider?.id ?? '' }),
      (i) => i.provider?.id === some().provider?.id,
    ],
    ['from a day', () => ({ created_at_from: day() }), (i) => i.created_at.slice(0, 10) >= day()],
    ['to a day', () => ({ created_at_to: day() }), (i) => i.created_at.slice(0, 10) <= day()],
    [
      'between moments',
      () => ({ created_at_from: '2020-01-01T00:00:00Z', created_at_to: `${day()}T12:00:00Z` }),
      (i) => Date.parse(i.created_at) <= Date.parse(`${day()}T12:00:00Z`),
    ],
    ['min_amount', () => ({ min_amount: median() }), (i) => units(i.amount) >= units(median())],
    ['max_amount', () => ({ max_amount: median() }), (i) => units(i.amount) <= units(median())],
    ['search', () => ({ search: '2' }), (i) => i.trader.reference_number?.includes('2') ?? false],
    [
      'search, literally',
      () => ({ search: 'oddä_50%' }),
      (i) => i.trader.reference_number?.startsWith('Odd') ?? false,
    ],
    [
      'reference_number',
      () => ({ reference_number: 'unknown' }),
      (i) => (i.trader.reference_number ?? 'unknown') === 'unknown',
    ],
    ['is_overdue', () => ({ is_overdue: 'true' }), (i) => i.is_overdue],
    ['not is_overdue', () => ({ is_overdue: 'false' }), (i) => !i.is_overdue],
    [
      'several',
      () => ({ exchange: 'bybit', is_paid: 'true', search: '1', min_amount: median() }),
      (i) =>
        i.exchange === 'bybit' &&
        i.is_paid &&
        (i.trader.reference_number?.includes('1') ?? false) &&
        units(i.amount) >= units(median()),
    ],
  ];
  test.each(cases)('%s', async (_name, queryOf, fits) => {
    const query = queryOf();
    const wanted = all.filter(fits);
    const current = wanted.filter((i) => !i.is_archived);
    const answer = (await ask('/api/invoices/admin/all', { ...query, limit: '10000' })).json();
    expect(ids(answer.data)).toEqual(ids(current));
    expect(answer.meta.total).toBe(current.length);
    expect(units(answer.meta.total_amount)).toBe(sum(current));
    expect(ids(await listAll({ ...query, include_archived: 'true' }))).toEqual(ids(wanted));
    await expectGroups(wanted, query);
  });
});

/** Holds the groups of every tab against those made by hand from these invoices. */
async function expectGroups(invoices: readonly ListedInvoice[], query: Query, who = 'super') {
  for (const tab of ['all', 'unpaid', 'paid', 'archived'] as const) {
    const wanted = groupByHand(invoices, tab);
    const { data, meta } = await groupsOf({ ...query, tab }, who);
    const byReference = new Map(data.map((group) => [group.reference_number, group]));
    expect([...byReference.keys()].sort()).toEqual(wanted.map((group) => group.reference_number).sort());
    expect(data).toHaveLength(wanted.length);
    for (const group of wanted) expect(byReference.get(group.reference_number)).toMatchObject(group);
    expect(meta.counts[tab]).toBe(wanted.length);
    expect(meta.total).toBe(wanted.length);
  }
}

test.each([
  ['created_at', (g: Group) => Date.parse(g.created_at)],
  ['updated_at', (g: Group) => Date.parse(g.updated_at)],
  ['amount', (g: Group) => units(g.total_amount)],
] as const)('groups by %s, up and down, and pages join to the whole', async (orderBy, keyOf) => {
  for (const filter of [{}, { is_paid: 'false' }] as Query[])
    for (const orderDir of ['asc', 'desc']) {
      const query = { ...filter, orderBy, orderDir };
      const { data: whole } = await groupsOf(query);
      const way = orderDir === 'asc' ? 1 : -1;
      const sorted = whole
        .map<number | bigint>((group) => keyOf(group))
        .sort((a, b) => (a < b ? -way : a > b ? way : 0));
      expect(whole.map((group) => keyOf(group))).toEqual(sorted);
      const pages: Group[] = [];
      for (let offset = 0; offset < whole.length; offset += 10)
        pages.push(...(await groupsOf({ ...query, limit: '10', offset: String(offset) })).data);
      expect(pages).toEqual(whole);
    }
});

test.each(['staff', 'staff-multi'])(
  '%s see invoices, sums and groups of their own providers only',
  async (who) => {
    const mine = await providersOf(who);
    const seen = all.filter((invoice) => invoice.provider && mine.includes(invoice.provider.id));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(all.length);
    expect(ids(await listAll({ include_archived: 'true' }, who))).toEqual(ids(seen));
    const { meta } = (await ask('/api/invoices/admin/all', { include_archived: 'true' }, who)).json();
    expect(meta.total).toBe(seen.length);
    expect(units(meta.total_amount)).toBe(sum(seen));
    await expectGroups(seen, {}, who);
    await expectGroups(
      seen.filter((i) => i.is_overdue),
      { is_overdue: 'true' },
      who,
    );
    const other = all.find((i) => i.provider && !mine.includes(i.provider.id)) as ListedInvoice;
    await expectGroups([], { provider_id: other.provider?.id ?? '' }, who);
    const [first = ''] = mine;
    await expectGroups(
      seen.filter((i) => i.provider?.id === first),
      { provider_id: first },
      who,
    );
  },
);

async function providersOf(who: string): Promise<string[]> {
  const { data } = (await ask('/api/me', {}, who)).json();
  return data.providers.map((provider: { id: string }) => provider.id);
}

test('a trader and a community have their invoices, under the keys that their screens read', async () => {
  const { trader_id, community_id } = all.find((i) => !i.is_archived) as ListedInvoice;
  const ofTrader = all.filter((i) => i.trader_id === trader_id && !i.is_archived);
  const answer = (await ask('/api/traders/{id}/invoices', {}, 'super', trader_id)).json();
  expect(ids(answer.invoices)).toEqual(ids(ofTrader));
  expect(answer).toMatchObject({
    success: true,
    total_count: ofTrader.length,
    meta: { total: ofTrader.length },
  });
  const same = (await ask('/api/invoices/trader/{id}', {}, 'super', trader_id)).json();
  expect(same.data).toEqual(answer.invoices);
  const ofCommunity = (
    await ask('/api/invoices/community/{id}', { limit: '10000' }, 'super', community_id)
  ).json();
  expect(ids(ofCommunity.data)).toEqual(
    ids(all.filter((i) => i.community_id === community_id && !i.is_archived)),
  );
});

test('what the specification does not allow is refused', async () => {
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
    const answer = await ask('/api/invoices/admin/all', wrong);
    expect(answer.statusCode, JSON.stringify(wrong)).toBe(400);
    expect(answer.json().error).toBe('validation_failed');
  }
  expect((await ask('/api/invoices/admin/groups', { orderBy: 'status' })).statusCode).toBe(400);
  expect((await ask('/api/invoices/admin/groups', { tab: 'open' })).statusCode).toBe(400);
});

test('the export has the same rows in the same order', async () => {
  const query = { orderBy: 'amount', orderDir: 'asc', is_paid: 'true' };
  const answer = await ask('/api/invoices/export', query);
  expect(answer.headers['content-type']).toContain('text/csv');
  const [heading, ...lines] = answer.body.trim().split('\r\n');
  expect(heading).toContain('Created,Updated,Reference Number,Trader,Community,Provider');
  expect(lines.map((row) => row.split(',').at(-1))).toEqual((await listAll(query)).map(({ id }) => id));
});

test('sums follow every change of invoices and reference numbers', async () => {
  const change = (statement: string) => asOwner(product.ownerUrl, statement);
  await change(`UPDATE invoice SET is_archived = NOT is_archived WHERE abs(hashtext(id::text)) % 6 = 0`);
  await change(`UPDATE invoice SET status = 'paid', settled_by = 'manual', paid_at = now(), updated_at = now()
    WHERE status = 'pending' AND abs(hashtext(id::text)) % 2 = 0`);
  await change(
    `UPDATE trader SET reference_number = 'NOW-' || deposit_index WHERE reference_number IS NULL AND deposit_index % 2 = 0`,
  );
  // An invoice with positions stays for ever.
  await change(`DELETE FROM invoice i WHERE status = 'cancelled'
    AND NOT EXISTS (SELECT FROM closed_position WHERE invoice_id = i.id)`);
  await change(`INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at)
    SELECT id, community_id, 10::numeric ^ 18, deposit_address, 0.5, '[]', now() + interval '3 days' FROM trader
    WHERE deposit_address IS NOT NULL AND deposit_index % 3 = 0`);
  const changed = await listAll({ include_archived: 'true' });
  expect(ids(changed)).not.toEqual(ids(all));
  const named = changed.filter((i) => i.trader.reference_number?.startsWith('NOW-'));
  expect(named.length).toBeGreaterThan(0);
  await expectGroups(named, { search: 'now-' });
  await expectGroups(changed, { status: 'all' });
  await expectGroups(changed, { min_amount: '0' });
});
