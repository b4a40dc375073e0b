import { EXCHANGES } from '@copydesk/domain/catalogue';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@copydesk/domain/invoices';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { filterCases } from '../../../../../../tests/support/world/invoice-filter-cases.ts';
import {
  createInvoiceListWorld,
  type Group,
  type InvoiceListWorld,
  ids,
  type Query,
} from '../../../../../../tests/support/world/invoice-list-world.ts';
import {
  groupByHand,
  type ListedInvoice,
  MILLIONTH,
  tooMuch,
} from '../../../../../../tests/support/world/listed-invoices.ts';
import { units } from '../../../../../../tests/support/world/usdt.ts';

let world: InvoiceListWorld;
/** Providers of each persona; super admins see invoices of no provider too. */
const providers = new Map<string, string[]>();
beforeAll(async () => {
  world = await createInvoiceListWorld();
  for (const who of ['staff', 'staff-multi']) providers.set(who, await world.providersOf(who));
});
afterAll(() => world.close());

const TABS = ['all', 'unpaid', 'paid', 'archived'] as const;

/** What of all invoices a persona sees. */
function seenBy(who: string): ListedInvoice[] {
  const mine = providers.get(who);
  return mine ? world.all.filter((i) => i.provider && mine.includes(i.provider.id)) : world.all;
}

describe.each(['super', 'staff', 'staff-multi'])('%s', (who) => {
  test.each(filterCases(() => world.all))('%s', async (_name, queryOf, fits) => {
    await expectGroups(seenBy(who).filter(fits), queryOf(), who);
  });

  test('have no groups of a provider that is not theirs', async () => {
    const mine = providers.get(who);
    const other = world.all.find((i) => i.provider && !mine?.includes(i.provider.id));
    const wanted = mine ? [] : world.all.filter((i) => i.provider?.id === other?.provider?.id);
    await expectGroups(wanted, { provider_id: other?.provider?.id ?? '' }, who);
  });
});

test('some traders have invoices of several providers of the same staff, and of others', () => {
  const of = (who: string) => Map.groupBy(seenBy(who), (i) => `${i.trader_id} ${i.is_archived}`);
  const multi = of('staff-multi');
  const severals = [...multi].filter(([, some]) => new Set(some.map((i) => i.provider?.id)).size > 1);
  expect(severals.length).toBeGreaterThan(0);
  expect(severals.length).toBeLessThan(multi.size);
});

test('some traders have paid too much, and some only what rounding adds', () => {
  expect(world.all.filter((i) => tooMuch(i) >= MILLIONTH).length).toBeGreaterThan(0);
  expect(world.all.filter((i) => tooMuch(i) > 0n && tooMuch(i) < MILLIONTH).length).toBeGreaterThan(0);
});

describe.each(['super', 'staff', 'staff-multi'])('traders without a reference number, as %s', (who) => {
  test.each([
    ['nothing', {}],
    ['an exchange', { exchange: 'bybit' }],
    ['an amount', { min_amount: '100' }],
  ] as [string, Query][])('are a group each, by %s', async (name, query) => {
    const fits = filterCases(() => world.all).find(
      ([of]) => of === (name === 'an exchange' ? 'exchange' : 'nothing'),
    );
    for (const is_archived of [false, true]) {
      const wanted = seenBy(who).filter(
        (i) =>
          (i.trader.reference_number ?? 'unknown') === 'unknown' &&
          i.is_archived === is_archived &&
          (fits?.[2](i) ?? true) &&
          (!query.min_amount || units(i.amount) >= units(query.min_amount)),
      );
      const byTrader = Map.groupBy(wanted, (i) => i.trader_id);
      const { data, meta } = await world.unknownTradersOf(
        { ...query, is_archived: String(is_archived) },
        who,
      );
      expect(meta.total).toBe(byTrader.size);
      expect(data.map((group) => group.trader?.id).sort()).toEqual([...byTrader.keys()].sort());
      for (const group of data) {
        const [own] = groupByHand(
          byTrader.get(group.trader?.id ?? '') ?? [],
          is_archived ? 'archived' : 'all',
        );
        expect(group).toMatchObject({ ...own, trader_count: 1 });
      }
      const pages = await Promise.all(
        [0, 3].map((offset) =>
          world.unknownTradersOf(
            { ...query, is_archived: String(is_archived), limit: '3', offset: String(offset) },
            who,
          ),
        ),
      );
      expect(pages.flatMap((page) => page.data)).toEqual(data.slice(0, 6));
    }
  });
});

test('paid and cancelled invoices together are neither paid nor unpaid', async () => {
  const neither = groupByHand(world.all, 'all').filter(
    (group) => !group.is_paid && group.pending_count === 0,
  );
  expect(neither.some((group) => group.cancelled_count < group.invoice_count)).toBe(true);
  const { data, meta } = await world.groupsOf({ tab: 'all' });
  expect(meta.counts.all).toBe((meta.counts.paid ?? 0) + (meta.counts.unpaid ?? 0) + neither.length);
  expect(data.length).toBe(meta.counts.all);
});

test.each(['staff', 'staff-multi'])('%s learn where they see a part, and nothing else of it', async (who) => {
  const mine = providers.get(who) ?? [];
  const isSeen = (i: ListedInvoice) => i.provider !== null && mine.includes(i.provider.id);
  for (const tab of ['all', 'archived'] as const) {
    const { data } = await world.groupsOf({ tab }, who);
    for (const group of data) {
      const own = world.all.filter(
        (i) =>
          (i.trader.reference_number ?? 'unknown') === group.reference_number &&
          i.is_archived === group.is_archived &&
          seenBy(who).some((seen) => seen.trader_id === i.trader_id && seen.is_archived === i.is_archived),
      );
      expect(group.is_part).toBe(own.some((i) => !isSeen(i)));
    }
    if (tab === 'all') expect(data.some((group) => group.is_part)).toBe(true);
    expect((await world.groupsOf({ tab })).data.every((group) => !group.is_part)).toBe(true);
  }
});

/** Holds the groups of every tab against those made by hand from these invoices, and first pages against the whole. */
async function expectGroups(invoices: readonly ListedInvoice[], query: Query, who = 'super') {
  for (const tab of TABS) {
    const wanted = groupByHand(invoices, tab);
    const { data, meta } = await world.groupsOf({ ...query, tab }, who);
    const byReference = new Map(data.map((group) => [group.reference_number, group]));
    expect([...byReference.keys()].sort()).toEqual(wanted.map((group) => group.reference_number).sort());
    expect(data).toHaveLength(wanted.length);
    for (const group of wanted) expect(byReference.get(group.reference_number)).toMatchObject(group);
    expect(meta.counts[tab]).toBe(wanted.length);
    expect(meta.total).toBe(wanted.length);
    // The newest groups are found in another way than all of them.
    const first = await world.groupsOf({ ...query, tab, limit: '7' }, who);
    expect(first.data).toEqual(data.slice(0, 7));
  }
}

test.each([
  ['created_at', (g: Group) => Date.parse(g.created_at)],
  ['updated_at', (g: Group) => Date.parse(g.updated_at)],
  ['amount', (g: Group) => units(g.total_amount)],
] as const)('groups by %s, up and down, and pages join to the whole', async (orderBy, keyOf) => {
  for (const filter of [{}, { is_paid: 'false' }, { max_amount: '500' }, { search: '2' }] as Query[])
    for (const orderDir of ['asc', 'desc']) {
      const query = { ...filter, orderBy, orderDir };
      const { data: whole } = await world.groupsOf(query);
      const way = orderDir === 'asc' ? 1 : -1;
      const sorted = whole
        .map<number | bigint>((group) => keyOf(group))
        .sort((a, b) => (a < b ? -way : a > b ? way : 0));
      expect(whole.map((group) => keyOf(group))).toEqual(sorted);
      const pages: Group[] = [];
      for (let offset = 0; offset < whole.length; offset += 10)
        pages.push(...(await world.groupsOf({ ...query, limit: '10', offset: String(offset) })).data);
      expect(pages).toEqual(whole);
    }
});

test('every combination of filters with few values has a bit of its own', async () => {
  const [row] = await asOwner(
    world.ownerUrl,
    `SELECT count(DISTINCT app.invoice_cell(s, t, e))::int AS cells
     FROM unnest($1::text[]) s, unnest($2::text[]) t, unnest($3::text[]) e`,
    [[...INVOICE_STATUSES], [...INVOICE_TYPES], [null, ...EXCHANGES]],
  );
  expect(row?.cells).toBe(INVOICE_STATUSES.length * INVOICE_TYPES.length * (EXCHANGES.length + 1));
});

test('sums follow every change of invoices and reference numbers', async () => {
  const change = (statement: string) => asOwner(world.ownerUrl, statement);
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
  const changed = await world.listAll({ include_archived: 'true' });
  expect(ids(changed)).not.toEqual(ids(world.all));
  const named = changed.filter((i) => i.trader.reference_number?.startsWith('NOW-'));
  expect(named.length).toBeGreaterThan(0);
  await expectGroups(named, { search: 'now-' });
  await expectGroups(changed, { status: 'all' });
  await expectGroups(changed, { min_amount: '0' });
});

test('hundreds of new invoices of one trader hide no other group', async () => {
  await asOwner(
    world.ownerUrl,
    `INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at, created_at)
     SELECT t.id, t.community_id, 10::numeric ^ 18, t.deposit_address, 0.5, '[]', now(), now() + n * interval '1 second'
     FROM (SELECT * FROM trader WHERE reference_number LIKE 'KAIT%' AND deposit_address IS NOT NULL LIMIT 1) t,
       generate_series(1, 600) n`,
  );
  const invoices = await world.listAll({ include_archived: 'true' });
  const [, day = ''] = invoices.map((i) => i.created_at.slice(0, 10)).sort();
  const wanted = invoices.filter((i) => i.created_at.slice(0, 10) > day);
  await expectGroups(wanted, { created_at_from: new Date(Date.parse(day) + 86_400_000).toISOString() });
});
