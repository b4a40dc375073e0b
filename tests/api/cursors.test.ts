import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwner } from '../support/owner.ts';
import {
  createInvoiceListWorld,
  type InvoiceListWorld,
  type Query,
} from '../support/world/invoice-list-world.ts';

/** Lists that are read page by page with the cursor that each page answers. */
const TRADERS = '/api/traders';
const INVOICES = '/api/invoices/admin/all';
const GROUPS = '/api/invoices/admin/groups';
const PAYOUTS = '/api/sweep-operations/admin/all';
const PEOPLE = ['super', 'staff', 'staff-multi'] as const;

interface Answer {
  data: { id?: string; reference_number?: string; is_archived?: boolean }[];
  meta: { next_cursor: string | null; total: number };
}

let world: InvoiceListWorld;
beforeAll(async () => {
  world = await createInvoiceListWorld();
  const change = (statement: string) => asOwner(world.ownerUrl, statement);
  // Ties and missing values in the orders, and payouts that several providers have a part of.
  await change(`UPDATE exchange_account SET equity = CASE WHEN abs(hashtext(id::text)) % 3 = 0 THEN NULL ELSE 12.5 END
    WHERE abs(hashtext(trader_id::text)) % 3 = 1`);
  await change(`UPDATE trader SET telegram_username = NULL, name = NULL WHERE deposit_index % 5 = 0`);
  await change(
    `UPDATE invoice SET created_at = date_trunc('month', created_at) WHERE abs(hashtext(id::text)) % 2 = 0`,
  );
  await change(`UPDATE payable y SET provider_id = (SELECT id FROM provider p
    ORDER BY hashtext(y.id::text || p.id::text) LIMIT 1) WHERE abs(hashtext(y.id::text)) % 3 = 0`);
  await change(`UPDATE payout SET amount_units = amount_units WHERE true`);
});
afterAll(() => world.close());

async function read(list: string, query: Query, who: string): Promise<Answer> {
  const answer = await world.ask(list, query, who);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const nameOf = ({ id, reference_number, is_archived }: Answer['data'][number]) =>
  id ?? `${reference_number} ${is_archived}`;

/** All rows, page by page. */
async function walk(list: string, query: Query, who: string, limit: number): Promise<string[]> {
  const rows: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer = await read(list, { ...query, limit: `${limit}`, ...(cursor && { cursor }) }, who);
    rows.push(...page.data.map(nameOf));
    cursor = page.meta.next_cursor;
  } while (cursor);
  return rows;
}

const PLAIN = [{}];
describe.each([
  [
    TRADERS,
    ['aum', 'reference_number', 'telegram_username', 'created_at'],
    [{}, { tab: 'none' }, { tab: 'connected', exchange: 'okx' }],
  ],
  [INVOICES, ['created_at', 'updated_at', 'amount', 'status'], [{ include_archived: 'true' }]],
  [
    GROUPS,
    ['created_at', 'updated_at', 'amount'],
    [{}, { exchange: 'bybit' }, { tab: 'paid' }, { min_amount: '100' }],
  ],
  [PAYOUTS, ['created_at', 'amount', 'status'], PLAIN],
] as [string, string[], Query[]][])('%s', (list, orders, filters) => {
  test.each(orders)('by %s, up and down: pages join to the whole', async (orderBy) => {
    for (const who of PEOPLE)
      for (const filter of filters)
        for (const orderDir of ['asc', 'desc']) {
          const query = { ...filter, orderBy, orderDir };
          const whole = (await read(list, { ...query, limit: '10000' }, who)).data.map(nameOf);
          expect(whole.length, JSON.stringify([who, query])).toBeGreaterThan(filter.tab === 'none' ? 0 : 1);
          const limit = Math.ceil(whole.length / 3);
          expect(await walk(list, query, who, limit), JSON.stringify([who, query])).toEqual(whole);
        }
  });
});

test('a cursor and an offset: the offset counts from the row behind the cursor', async () => {
  const { data: whole } = await read(INVOICES, { limit: '30' }, 'super');
  const { meta } = await read(INVOICES, { limit: '10' }, 'super');
  const page = await read(INVOICES, { limit: '5', offset: '7', cursor: meta.next_cursor ?? '' }, 'super');
  expect(page.data).toEqual(whole.slice(17, 22));
});

test('the last page has no cursor behind it', async () => {
  const { meta } = await read(PAYOUTS, { limit: '10000' }, 'super');
  expect(meta.next_cursor).toBeNull();
});

test('rows that come and go between pages neither repeat others nor hide them', async () => {
  for (const who of PEOPLE) {
    const before = (await read(TRADERS, { limit: '10000' }, who)).data.map(nameOf);
    const first = await read(TRADERS, { limit: '20' }, who);
    // The last row of the first page goes to the end, another one comes to the top.
    const moved = [before[19], before[before.length - 1]];
    await asOwner(
      world.ownerUrl,
      `UPDATE exchange_account SET equity = CASE trader_id WHEN $1 THEN 0 ELSE 10 ^ 9 END WHERE trader_id = ANY ($2)`,
      [moved[0], moved],
    );
    const rest = [...first.data.map(nameOf), ...(await restAfter(first, who))];
    const kept = before.filter((id) => !moved.includes(id));
    expect(rest.filter((id) => !moved.includes(id))).toEqual(kept);
  }
});

async function restAfter(first: Answer, who: string): Promise<string[]> {
  const rows: string[] = [];
  let cursor = first.meta.next_cursor;
  while (cursor) {
    const page = await read(TRADERS, { limit: '20', cursor }, who);
    rows.push(...page.data.map(nameOf));
    cursor = page.meta.next_cursor;
  }
  return rows;
}

test('a cursor of another list, order, filter or person is refused, and so is an invalid one', async () => {
  const { meta } = await read(INVOICES, { limit: '5', exchange: 'bybit' }, 'staff');
  const cursor = meta.next_cursor ?? '';
  const [mark, ...row] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const asked = { limit: '5', exchange: 'bybit', cursor };
  expect((await world.ask(INVOICES, asked, 'staff')).statusCode).toBe(200);
  for (const [list, query, who] of [
    [INVOICES, { ...asked, exchange: 'okx' }, 'staff'],
    [INVOICES, { limit: '5', cursor }, 'staff'],
    [INVOICES, { ...asked, orderDir: 'asc' }, 'staff'],
    [INVOICES, { ...asked, orderBy: 'updated_at' }, 'staff'],
    [INVOICES, asked, 'super'],
    [GROUPS, asked, 'staff'],
    [TRADERS, asked, 'staff'],
    ...[
      '',
      'x',
      made(),
      made(mark),
      made(mark, ...row, 'more'),
      made(mark, row[0], "' OR true"),
      made(mark, 1, 2),
    ].map((wrong) => [INVOICES, { ...asked, cursor: wrong }, 'staff'] as const),
  ] as [string, Query, string][]) {
    const answer = await world.ask(list, query, who);
    expect([answer.statusCode, answer.json().error], JSON.stringify(query)).toEqual([400, 'invalid_cursor']);
  }
});

test.each([TRADERS, INVOICES, GROUPS, PAYOUTS])(
  '%s: beyond the largest offset the answer explains how to read on',
  async (list) => {
    expect((await world.ask(list, { offset: '10000' })).statusCode).toBe(200);
    const answer = await world.ask(list, { offset: '10001' });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'validation_failed']);
    expect(answer.json().details[0]).toMatchObject({
      path: 'offset',
      message: expect.stringContaining('cursor'),
    });
  },
);
