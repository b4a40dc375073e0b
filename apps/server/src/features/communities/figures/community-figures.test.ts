import { sumDecimals } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let providerId: string;
/** A community that the staff's provider shares with others. */
let sharedId: string;

beforeAll(async () => {
  product = await createTestApp();
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const [shared] = await asOwner(
    product.ownerUrl,
    `SELECT l.community_id, l.provider_id FROM community_provider l JOIN provider p ON p.id = l.provider_id
     JOIN community c ON c.id = l.community_id AND NOT c.is_archived
     WHERE p.name = 'aurora' AND EXISTS (SELECT FROM trader t JOIN trader_provider s ON s.trader_id = t.id
       WHERE t.community_id = c.id AND s.provider_id <> l.provider_id AND s.aum > 0)
     AND EXISTS (SELECT FROM trader t JOIN trader_provider s ON s.trader_id = t.id
       WHERE t.community_id = c.id AND s.provider_id = l.provider_id AND s.aum > 0) LIMIT 1`,
  );
  providerId = shared?.provider_id;
  sharedId = shared?.community_id;
});
afterAll(() => product.close());

const list = (as: string, query = {}) => send(product.app, 'GET /api/communities', { query }, as);
const read = (path: string, as: string, query = {}, id = sharedId) =>
  send(product.app, `GET /api/communities/{id}${path}`, { params: { id }, query }, as);

test('without figures the communities come by name, and no figure with them', async () => {
  const { data, meta } = (await list(superAdmin)).json();
  expect(data).toHaveLength(12);
  expect(data.map(({ name }: { name: string }) => name)).toEqual(
    data.map(({ name }: { name: string }) => name).toSorted(),
  );
  expect(Object.keys(data[0])).toEqual(['id', 'name', 'is_archived', 'created_at']);
  expect(meta).toEqual({ totals_at: null });
});

test('the leaderboard has active communities first, then the larger ones', async () => {
  const { data } = (await list(superAdmin, { include_aum: 'true' })).json();
  const order = data.map((row: { is_archived: boolean; total_aum: string }) => [
    row.is_archived,
    Number(row.total_aum),
  ]);
  expect(order).toEqual(
    order.toSorted(
      (a: [boolean, number], b: [boolean, number]) => Number(a[0]) - Number(b[0]) || b[1] - a[1],
    ),
  );
  const [{ aum, count } = { aum: '', count: 0 }] = await asOwner(
    product.ownerUrl,
    `SELECT trim_scale(sum(aum))::text AS aum,
       count(*)::int AS count FROM trader`,
  );
  expect(sumDecimals(data.map((row: { total_aum: string }) => row.total_aum))).toBe(aum);
  expect(data.reduce((sum: number, row: { trader_count: number }) => sum + row.trader_count, 0)).toBe(count);
});

test('staff see the communities of their providers, with nothing of others in any sum', async () => {
  const { data } = (await list(staff, { include_aum: 'true' })).json();
  const expected = await asOwner(
    product.ownerUrl,
    `SELECT c.id, count(s.trader_id)::int AS trader_count, trim_scale(coalesce(sum(s.aum), 0))::text AS total_aum
     FROM community c JOIN community_provider l ON l.community_id = c.id AND l.provider_id = $1
     LEFT JOIN (trader t JOIN trader_provider s ON s.trader_id = t.id AND s.provider_id = $1)
       ON t.community_id = c.id GROUP BY c.id`,
    [providerId],
  );
  const told = data.map(({ id, trader_count, total_aum }: Record<string, unknown>) => ({
    id,
    trader_count,
    total_aum,
  }));
  const byId = (a: Record<string, string>, b: Record<string, string>) =>
    String(a.id).localeCompare(String(b.id));
  expect(told.toSorted(byId)).toEqual(expected.toSorted(byId));

  const everything = (await list(superAdmin, { include_aum: 'true' })).json().data;
  const of = (rows: { id: string; total_aum: string }[]) =>
    Number(rows.find(({ id }) => id === sharedId)?.total_aum);
  expect(of(data)).toBeGreaterThan(0);
  expect(of(data)).toBeLessThan(of(everything));
});

test('settings come with include_config, and only to super admins', async () => {
  const own = (await read('', superAdmin, { include_config: 'true' })).json().data;
  expect(own).toMatchObject({
    minimum_balance: 10000,
    split_percentage: expect.any(Number),
    wallets: { internal: { address: expect.stringMatching(/^0x/), balance: '0' } },
  });
  expect(
    own.providers.map((p: { payment_split_percentage: number }) => p.payment_split_percentage),
  ).toContain(0.35);
  for (const [as, query] of [
    [superAdmin, {}],
    [staff, { include_config: 'true' }],
  ] as const) {
    const { data } = (await read('', as, query)).json();
    expect(data).not.toHaveProperty('wallets');
    expect(data).not.toHaveProperty('split_percentage');
    expect(data).not.toHaveProperty('providers');
  }
});

test("the balance of the internal wallet is the ledger's, in USDT", async () => {
  await asOwner(
    product.ownerUrl,
    `DO $$ DECLARE account uuid; BEGIN
       INSERT INTO ledger_account (kind, owner_id, asset) SELECT 'community_wallet', id, 'USDT'
         FROM community WHERE id = '${sharedId}' RETURNING id INTO account;
       UPDATE ledger_balance SET posted = 1234500000000000000 WHERE account_id = account;
     END $$`,
  );
  const { wallets } = (await read('', superAdmin, { include_config: 'true' })).json().data;
  expect(wallets.internal.balance).toBe('1.2345');
  expect(wallets.external.balance).toBeNull();
});

test.each(['superAdmin', 'staff'])('figures of one community agree with each other, for %s', async (who) => {
  const as = who === 'staff' ? staff : superAdmin;
  const row = (await list(as, { include_aum: 'true' }))
    .json()
    .data.find(({ id }: { id: string }) => id === sharedId);
  const stats = (await read('/stats', as)).json().data;
  expect(stats).toMatchObject({ trader_count: row.trader_count, total_aum: row.total_aum });

  const traders = (await read('/traders', as, { include_aum: 'true', limit: '10000' })).json();
  expect(traders.meta.total).toBe(row.trader_count);
  expect(traders.data).toHaveLength(row.trader_count);
  const aums: (number | null)[] = traders.data.map(({ aum }: { aum: number | null }) => aum);
  expect(aums.every((aum) => aum === null || typeof aum === 'number')).toBe(true);
  expect(sumDecimals(aums.map((aum) => String(aum ?? 0)))).toBe(row.total_aum);

  const levels = (await read('/vip/stats', as)).json().data;
  expect(levels.map(({ level }: { level: number }) => level)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(sumDecimals(levels.map((l: { total_aum: string }) => l.total_aum))).toBe(row.total_aum);
  const vips = (await read('/vip/traders', as, { limit: '10000' })).json();
  const ofLevels = levels
    .slice(1)
    .reduce((sum: number, l: { trader_count: number }) => sum + l.trader_count, 0);
  expect(vips.meta.total).toBe(ofLevels);
  expect(vips.data.every(({ aum }: { aum: unknown }) => typeof aum === 'number')).toBe(true);
  const [first] = traders.data;
  const vip = await send(product.app, 'GET /api/traders/{id}/vip', { params: { id: first.id } }, as);
  expect(vip.json().data.aum).toBe(first.aum);
  const silver = (await read('/vip/traders', as, { level: '2' })).json();
  expect(silver.meta.total).toBe(levels[2].trader_count);

  const days = (await read('/signups', as)).json().data;
  const months = (await read('/signups', as, { interval: 'month' })).json().data;
  const count = (rows: { traders: number }[]) => rows.reduce((sum, { traders: n }) => sum + n, 0);
  expect(count(days)).toBe(row.trader_count);
  for (const { traders: n, sources } of [...days, ...months])
    expect(Object.values<number>(sources).reduce((sum, of) => sum + of, 0)).toBe(n);
  expect(count(months)).toBe(row.trader_count);
  expect(months.length).toBeLessThanOrEqual(days.length);
  expect(months[0].from).toMatch(/-01$/);
});

test('invoices of other providers are in no figure of staff', async () => {
  const [expected] = await asOwner(
    product.ownerUrl,
    `SELECT count(*)::int AS count, count(*) FILTER (WHERE status = 'pending')::int AS unpaid_count,
       trim_scale(coalesce(sum(amount_units), 0) / 1e18)::text AS amount
     FROM invoice WHERE community_id = $1 AND provider_id = $2 AND status <> 'cancelled'`,
    [sharedId, providerId],
  );
  expect((await read('/stats', staff)).json().data.invoices).toMatchObject({ ...expected });
});

test('a page of traders goes on where the one before ended', async () => {
  const ids = async (query: object) =>
    (await read('/traders', superAdmin, query)).json().data.map(({ id }: { id: string }) => id);
  const all = await ids({ limit: '10' });
  expect([...(await ids({ limit: '5' })), ...(await ids({ limit: '5', offset: '5' }))]).toEqual(all);
});

test('a trader that moves to another community counts there, also for staff', async () => {
  const [trader] = await asOwner(
    product.ownerUrl,
    `SELECT t.id, (SELECT l.community_id FROM community_provider l
       WHERE l.provider_id = $2 AND l.community_id <> t.community_id LIMIT 1) AS target
     FROM trader t JOIN trader_provider s ON s.trader_id = t.id AND s.provider_id = $2
     WHERE t.community_id = $1 LIMIT 1`,
    [sharedId, providerId],
  );
  const countIn = async (id: string) => (await read('/stats', staff, {}, id)).json().data.trader_count;
  const before = [await countIn(sharedId), await countIn(trader?.target)];
  await asOwner(product.ownerUrl, 'UPDATE trader SET community_id = $2 WHERE id = $1', [
    trader?.id,
    trader?.target,
  ]);
  expect([await countIn(sharedId), await countIn(trader?.target)]).toEqual([
    (before[0] ?? 0) - 1,
    (before[1] ?? 0) + 1,
  ]);
});
