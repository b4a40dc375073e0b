import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

interface Row {
  id: string;
  aum: number | null;
  status: string;
  community_id: string;
  below_minimum_balance: number | null;
  reference_number: string | null;
  telegram_username: string | null;
  name: string | null;
  exchanges: { exchange: string; provider_id: string; equity: string | null }[];
}
interface Page {
  data: Row[];
  meta: {
    total: number;
    counts: Record<'inbox' | 'connected' | 'delinquent', number>;
    total_aum: string;
    filtered_aum: string;
    totals_at: string;
  };
}

let product: TestApp;
let superAdmin: string;
let staff: string;
let staffMulti: string;
let providerIds: string[];

beforeAll(async () => {
  product = await createTestApp({ scale: 0.3 });
  [superAdmin, staff, staffMulti] = [
    await product.signIn('super'),
    await product.signIn('staff'),
    await product.signIn('staff-multi'),
  ];
  providerIds = (
    await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM provider ORDER BY lower(name)')
  ).map(({ id }) => id);
});
afterAll(() => product.close());

async function list(query: Record<string, string>, as = superAdmin): Promise<Page> {
  const answer = await send(
    product.app,
    'GET /api/traders',
    { query: { include_aum: 'true', include_exchanges: 'true', limit: '10000', ...query } },
    as,
  );
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Page>();
}

test('tabs: pending with an account, connected, delinquent; counts are those of the tables', async () => {
  const [truth] = await asOwner(
    product.ownerUrl,
    `SELECT count(*) FILTER (WHERE status = 'pending' AND has)::int AS inbox,
       count(*) FILTER (WHERE status = 'connected')::int AS connected,
       count(*) FILTER (WHERE status = 'delinquent')::int AS delinquent,
       count(*) FILTER (WHERE status = 'pending' AND NOT has)::int AS none
     FROM (SELECT status, EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id) AS has FROM trader t) x`,
  );
  for (const tab of ['inbox', 'connected', 'delinquent'] as const) {
    const { data, meta } = await list({ tab });
    expect(meta.counts).toEqual(truth);
    expect(meta.total).toBe(truth?.[tab]);
    expect(data).toHaveLength(truth?.[tab]);
    for (const row of data) {
      expect(row.status).toBe(tab === 'inbox' ? 'pending' : tab);
      if (tab === 'inbox') expect(row.exchanges.length).toBeGreaterThan(0);
    }
  }
});

test('by default by AUM, largest first, and unread accounts last', async () => {
  const { data } = await list({});
  const sorted = [...data].sort((a, b) => (b.aum ?? -1) - (a.aum ?? -1));
  expect(data.map((row) => row.aum)).toEqual(sorted.map((row) => row.aum));
  expect(data.at(-1)?.aum).toBeNull();
});

test.each([
  ['reference_number', (row: Row) => (row.reference_number ?? '').toLowerCase()],
  ['telegram_username', (row: Row) => (row.telegram_username || row.name || '').toLowerCase()],
] as const)('sorts by %s in both directions', async (orderBy, key) => {
  const down = (await list({ orderBy })).data.map(key);
  expect(down).toEqual([...down].sort().reverse());
  const up = (await list({ orderBy, orderDir: 'asc' })).data.map(key);
  expect(up).toEqual([...up].sort());
});

test('pages join without a gap or a repetition', async () => {
  const whole = (await list({ tab: 'connected' })).data.map((row) => row.id);
  const pages: string[] = [];
  for (let offset = 0; offset < whole.length; offset += 7)
    pages.push(
      ...(await list({ tab: 'connected', limit: '7', offset: String(offset) })).data.map((row) => row.id),
    );
  expect(pages).toEqual(whole);
});

test('search is a part of the reference number in any case, its wildcards taken literally', async () => {
  const { data, meta } = await list({ search: 'kait-1000' });
  expect(data.length).toBeGreaterThan(5);
  expect(meta.total).toBe(data.length);
  for (const row of data) expect(row.reference_number).toContain('KAIT-1000');
  expect((await list({ search: '%' })).data).toEqual([]);
  expect((await list({ search: "'; DROP TABLE trader; --" })).data).toEqual([]);
});

test('filters by community, provider and exchange narrow rows, counts and sums alike', async () => {
  const everything = await list({});
  const filters: Record<string, string>[] = [
    { exchange: 'okx' },
    { provider_id: providerIds[1] ?? '' },
    { exchange: 'bybit', provider_id: providerIds[0] ?? '', tab: 'connected' },
  ];
  for (const filter of filters) {
    const { data, meta } = await list(filter);
    expect(data.length).toBeGreaterThan(0);
    expect(data.length).toBeLessThan(everything.data.length);
    expect(meta.total).toBe(data.length);
    expect(Number(meta.filtered_aum)).toBeCloseTo(sum(data), 2);
    expect(Number(meta.total_aum)).toBeCloseTo(sum(everything.data), 2);
    if (filter.exchange)
      for (const row of data) expect(row.exchanges.map((a) => a.exchange)).toContain(filter.exchange);
  }
});

describe('below the minimum balance of the community', () => {
  /** By the whole of each trader, which only super admins see. */
  const belowOnes = async (minimums: ReadonlyMap<string, number>) => {
    const { data } = await list({});
    const below = data.filter(
      ({ aum, exchanges, community_id }) =>
        exchanges.every(({ equity }) => equity !== null) && (aum ?? 0) < (minimums.get(community_id) ?? 0),
    );
    return new Set(below.map(({ id }) => id));
  };
  const minimums = async () =>
    new Map(
      (
        await asOwner<{ id: string; minimum: number }>(
          product.ownerUrl,
          'SELECT id, minimum_balance::float8 AS minimum FROM community',
        )
      ).map(({ id, minimum }) => [id, minimum]),
    );

  test.each(['super', 'staff', 'staff-multi'] as const)(
    '%s: marks, filter, counts and export agree',
    async (persona) => {
      const as = { super: superAdmin, staff, 'staff-multi': staffMulti }[persona];
      const known = await minimums();
      const { data: everyone } = await list({}, as);
      const below = await belowOnes(known);
      const expected = everyone.filter(({ id }) => below.has(id));
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(everyone.length);
      for (const row of everyone)
        expect(row.below_minimum_balance, row.id).toBe(
          below.has(row.id) ? (known.get(row.community_id) ?? null) : null,
        );
      const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).sort();
      for (const orderBy of ['aum', 'reference_number']) {
        const { data, meta } = await list({ below_minimum_balance: 'true', orderBy }, as);
        expect(ids(data)).toEqual(ids(expected));
        expect(meta.total).toBe(expected.length);
      }
      const connected = expected.filter(({ status }) => status === 'connected');
      const { meta } = await list({ below_minimum_balance: 'true', tab: 'connected' }, as);
      expect(meta.counts.connected).toBe(connected.length);
      const csv = await send(
        product.app,
        'GET /api/traders/export',
        { query: { below_minimum_balance: 'true' } },
        as,
      );
      expect(linesOfCsv(csv.body)).toHaveLength(expected.length + 1);
    },
  );

  test('a trader without accounts is below; one with unread accounts is not', async () => {
    const { data } = await list({});
    const bare = data.find((row) => row.exchanges.length === 0 && row.aum === null);
    expect(bare?.below_minimum_balance).toBeGreaterThan(0);
    const [unread] = await asOwner<{ id: string }>(
      product.ownerUrl,
      `SELECT t.id FROM trader t JOIN community c ON c.id = t.community_id
       WHERE t.account_count > 0 AND t.aum < c.minimum_balance AND t.pool_capital = 0 LIMIT 1`,
    );
    await asOwner(
      product.ownerUrl,
      `UPDATE exchange_account SET equity = NULL, equity_read_at = NULL WHERE trader_id = '${unread?.id}'`,
    );
    const again = (await list({})).data.find(({ id }) => id === unread?.id);
    expect(again).toMatchObject({ aum: null, below_minimum_balance: null });
  });
});

test('staff see the traders, accounts and sums of their provider only', async () => {
  const { data } = await list({}, staff);
  const expected = await asOwner<{ id: string; aum: number | null }>(
    product.ownerUrl,
    `SELECT t.id, (SELECT CASE WHEN count(equity) + t.pool_capital > 0
                     THEN (coalesce(sum(equity), 0) + t.pool_capital)::float8 END FROM exchange_account a
                   WHERE a.trader_id = t.id AND a.provider_id = $1) AS aum
     FROM trader t WHERE selected_provider_id = $1
       OR EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.provider_id = $1)`,
    [providerIds[0]],
  );
  expect(new Map(data.map((row) => [row.id, row.aum]))).toEqual(
    new Map(expected.map((row) => [row.id, row.aum])),
  );
  // Sums are counted a moment after a change that the test before made.
  await expect.poll(async () => Number((await list({}, staff)).meta.total_aum)).toBeCloseTo(sum(data), 2);
  for (const account of data.flatMap((row) => row.exchanges))
    expect(account.provider_id).toBe(providerIds[0]);
});

test('staff of three providers see the sum of the three', async () => {
  const { data, meta } = await list({}, staffMulti);
  const [truth] = await asOwner<{ aum: number; traders: number }>(
    product.ownerUrl,
    `SELECT (SELECT sum(equity)::float8 FROM exchange_account WHERE provider_id = ANY ($1))
         + (SELECT sum(pool_capital)::float8 FROM trader
             WHERE id IN (SELECT trader_id FROM trader_provider WHERE provider_id = ANY ($1))) AS aum,
       (SELECT count(DISTINCT trader_id)::int FROM trader_provider WHERE provider_id = ANY ($1)) AS traders`,
    [providerIds.slice(0, 3)],
  );
  expect(data).toHaveLength(truth?.traders ?? 0);
  expect(meta.total).toBe(truth?.traders);
  await expect
    .poll(async () => Number((await list({}, staffMulti)).meta.total_aum))
    .toBeCloseTo(truth?.aum ?? 0, 2);
  for (const orderBy of ['aum', 'reference_number'])
    expect((await list({ orderBy }, staffMulti)).data).toHaveLength(truth?.traders ?? 0);
});

test('the export holds exactly the rows of the list, in its order', async () => {
  for (const [as, filter] of [
    [superAdmin, { tab: 'connected', orderBy: 'reference_number', orderDir: 'asc' }],
    [staff, { search: 'kait-1001', exchange: 'bybit' }],
  ] as const) {
    const { data } = await list(filter, as);
    const answer = await send(product.app, 'GET /api/traders/export', { query: filter }, as);
    expect(answer.headers['content-type']).toContain('text/csv');
    expect(answer.headers['content-disposition']).toMatch(
      /attachment; filename="traders-\d{4}-\d\d-\d\d\.csv"/,
    );
    const [header, ...lines] = linesOfCsv(answer.body);
    expect(header).toContain('Reference Number,Telegram Username,Balance (USD)');
    expect(lines.map((line) => line.split(',').at(-2))).toEqual(data.map((row) => row.id));
  }
});

test('a status change moves a trader from one count to another at once', async () => {
  const before = await list({ tab: 'connected' });
  const id = before.data[0]?.id ?? '';
  await send(
    product.app,
    'PATCH /api/traders/{id}',
    { params: { id }, body: { status: 'delinquent' } },
    superAdmin,
  );
  const after = await list({ tab: 'connected' });
  expect(after.meta.counts.connected).toBe(before.meta.counts.connected - 1);
  expect(after.meta.counts.delinquent).toBe(before.meta.counts.delinquent + 1);
  expect(after.data.map((row) => row.id)).not.toContain(id);
});

test.each([
  [{ limit: '-1' }, 'limit', 'Invalid input: at least 1'],
  [{ limit: 'ten' }, 'limit', 'Expected number, received string'],
  [{ offset: '-5' }, 'offset', 'Invalid input: at least 0'],
  [{ limit: '10001' }, 'limit', 'Invalid input: at most 10000'],
  [{ tab: 'all' }, 'tab', "Expected 'inbox' | 'connected' | 'delinquent' | 'none', received 'all'"],
  [{ community_id: 'x' }, 'community_id', 'Invalid input'],
  [{ include_aum: 'yes' }, 'include_aum', "Expected 'true' | 'false', received 'yes'"],
  [{ surprise: '1' }, 'surprise', 'Invalid input'],
  [{ search: 'x'.repeat(201) }, 'search', 'Invalid input: at most 200 characters'],
])('refuses %o', async (query, path, message) => {
  const answer = await send(product.app, 'GET /api/traders', { query }, superAdmin);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ success: false, error: 'validation_failed' });
  expect(answer.json().details).toContainEqual({ path, message });
});

function sum(rows: Row[]): number {
  return rows.reduce((total, row) => total + (row.aum ?? 0), 0);
}
