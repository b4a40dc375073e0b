import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addAccount } from '../../../../../tests/support/world/accounts.ts';
import { addCapital, addPool } from '../../../../../tests/support/world/pools.ts';
import { type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../tests/support/world/traders.ts';
import { sumCommunityDays } from '../communities/figures/community-days.store.ts';
import { snapshotEquity } from '../exchanges/reading/snapshots.store.ts';

/** AUM is one figure: marks, levels and tabs come from the whole, also for callers who see a part of it. */
let product: TestApp;
let owner: Owner;
let superAdmin: string;
let staff: string;
let staffMulti: string;
let communityId: string;
let mine: string;
/** A provider that neither `staff` nor `staffMulti` sees, and one that only `staffMulti` does. */
let foreign: string;
let second: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  owner = ownerOf(product.ownerUrl);
  [superAdmin, staff, staffMulti] = [
    await product.signIn('super'),
    await product.signIn('staff'),
    await product.signIn('staff-multi'),
  ];
  const providers = await owner<{ id: string; name: string }>('SELECT id, name FROM provider ORDER BY name');
  const seenBy = async (as: string) =>
    ((await send(product.app, 'GET /api/providers', {}, as)).json().data as { id: string }[]).map(
      ({ id }) => id,
    );
  const [own, several] = [await seenBy(staff), await seenBy(staffMulti)];
  mine = own[0] as string;
  second = several.find((id) => id !== mine) as string;
  foreign = providers.find(({ id }) => !own.includes(id) && !several.includes(id))?.id as string;
  communityId = (
    await owner<{ id: string }>(
      `INSERT INTO community (name, minimum_balance) VALUES ('Whole', 10000) RETURNING id`,
    )
  )[0]?.id as string;
  for (const id of new Set([mine, second, foreign]))
    await owner('INSERT INTO community_provider (community_id, provider_id) VALUES ($1, $2)', [
      communityId,
      id,
    ]);
});
afterAll(() => product.close());

const readAt = new Date(Date.now() - 60_000);
const trader = (changes: Record<string, unknown> = {}) =>
  addBareTrader(owner, { community_id: communityId, selected_provider_id: mine, ...changes });
const account = (id: string, providerId: string, equity: string | null) =>
  addAccount(owner, { id, providerId }, { equity, equity_read_at: equity === null ? null : readAt });

const read = async (id: string, as: string) =>
  (
    await send(product.app, 'GET /api/traders/{id}', { params: { id }, query: { include_aum: 'true' } }, as)
  ).json().data;
const vip = async (id: string, as: string) =>
  (await send(product.app, 'GET /api/traders/{id}/vip', { params: { id } }, as)).json().data;
const list = async (as: string, query: Record<string, string> = {}) =>
  (
    await send(
      product.app,
      'GET /api/traders',
      { query: { include_aum: 'true', community_id: communityId, ...query } },
      as,
    )
  ).json();

test('staff see their part, and the marks of the whole', async () => {
  const id = await trader();
  await account(id, mine, '905');
  await account(id, foreign, '182612');
  const whole = await vip(id, superAdmin);
  expect(whole.level).toBeGreaterThan(0);
  expect(await read(id, superAdmin)).toMatchObject({
    aum: 183517,
    aum_is_part: false,
    below_minimum_balance: null,
  });
  expect(await read(id, staff)).toMatchObject({ aum: 905, aum_is_part: true, below_minimum_balance: null });
  const part = await vip(id, staff);
  expect(part).toMatchObject({ level: whole.level, name: whole.name, aum: 905, aum_is_part: true });
  // What is missing, and how far it is, would tell the whole.
  expect(part.next_level?.missing_aum ?? null).toBeNull();
  if (part.next_level) expect(part.progress).toBeNull();
  expect(JSON.stringify([part, await read(id, staff), await list(staff)])).not.toMatch(/183517|182612/);
  expect((await list(staff)).data.find((row: { id: string }) => row.id === id)).toMatchObject({
    aum: 905,
    aum_is_part: true,
    below_minimum_balance: null,
  });
  const { data } = await list(staff, { below_minimum_balance: 'true' });
  expect(data.map((row: { id: string }) => row.id)).not.toContain(id);
  const levels = (
    await send(product.app, 'GET /api/communities/{id}/vip/stats', { params: { id: communityId } }, staff)
  ).json().data as { level: number; trader_count: number; total_aum: string }[];
  expect(levels.find(({ level }) => level === whole.level)).toMatchObject({
    trader_count: 1,
    total_aum: '905',
  });
  const csv = await send(
    product.app,
    'GET /api/traders/export',
    { query: { community_id: communityId } },
    staff,
  );
  expect(csv.body).toMatch(/Balance is your part/);
  expect(csv.body.split('\n').find((line) => line.includes(id))).toMatch(/,905,[^,]*,true,,connected/);
  await owner('DELETE FROM exchange_account WHERE trader_id = $1', [id]);
});

test('who is below the minimum in whole is so for staff, in list, filter and counts alike', async () => {
  const [rich, poor, unread] = [await trader(), await trader(), await trader()];
  await account(rich, mine, '-100');
  await account(rich, foreign, '10100');
  await account(poor, mine, '9000');
  await account(poor, foreign, '-1');
  await account(unread, mine, '1');
  await account(unread, foreign, null);
  for (const as of [superAdmin, staff, staffMulti])
    for (const orderBy of ['aum', 'created_at']) {
      const { data, meta } = await list(as, { below_minimum_balance: 'true', orderBy });
      const found = data.map((row: { id: string }) => row.id);
      expect([found.includes(rich), found.includes(poor), found.includes(unread)]).toEqual([
        false,
        true,
        false,
      ]);
      expect(meta.total).toBe(found.length);
      const all = (await list(as)).data as { id: string; below_minimum_balance: number | null }[];
      expect(
        all
          .filter((row) => row.below_minimum_balance !== null)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(found.toSorted());
    }
  // The unread account of another provider leaves the whole unknown, and is not said to be one of mine.
  expect(await read(unread, staff)).toMatchObject({ aum_unread_accounts: 0, below_minimum_balance: null });
  expect(await read(unread, superAdmin)).toMatchObject({ aum: 1, aum_unread_accounts: 1 });
});

test('the tab is that of the trader, also where its accounts are elsewhere', async () => {
  const id = await trader({ status: 'pending', reference_number: 'ELSEWHERE-1' });
  await account(id, foreign, '20000');
  for (const as of [superAdmin, staff, staffMulti]) {
    const { data, meta } = await list(as, { search: 'ELSEWHERE-1', tab: 'inbox' });
    expect(data.map((row: { id: string }) => row.id)).toEqual([id]);
    expect(meta.counts).toEqual({ inbox: 1, connected: 0, delinquent: 0, none: 0 });
  }
});

test('AUM has pool capital in it, once, on every screen, and no dust', async () => {
  const id = await trader();
  await account(id, mine, '1000.5');
  await account(id, second, '2000');
  await account(id, foreign, '4000');
  const poolId = await addPool(owner, communityId);
  const memberId = await addCapital(owner, { poolId, traderId: id, usdt: 500 });
  await owner('UPDATE pool_member SET capital_units = capital_units + 4 WHERE id = $1', [memberId]);
  const expected = { [superAdmin]: 7500.5, [staff]: 1500.5, [staffMulti]: 3500.5 };
  for (const [as, aum] of Object.entries(expected)) {
    const seen = as === staffMulti && !(await seesMine(staffMulti)) ? 2500 : aum;
    expect(await read(id, as)).toMatchObject({ aum: seen, aum_pool_capital: '500' });
    const { data, meta } = await list(as);
    expect(data.find((row: { id: string }) => row.id === id).aum).toBe(seen);
    const stats = await about('stats', as);
    const [listed] = (await send(product.app, 'GET /api/communities', { query: { include_aum: 'true' } }, as))
      .json()
      .data.filter((row: { id: string }) => row.id === communityId);
    const days = await about('days', as, { from: '2020-01-01', to: '2100-01-01' });
    expect(new Set([meta.filtered_aum, stats.total_aum, listed.total_aum, days.at(-1).aum])).toEqual(
      new Set([listed.total_aum]),
    );
    expect(listed).toMatchObject({ pool_capital: '500' });
    expect(listed.total_aum).toMatch(/^\d+(\.\d{1,8})?$/);
  }
  const linked = (
    await send(product.app, 'GET /api/providers/{id}/communities', { params: { id: mine } }, staff)
  )
    .json()
    .data.find((row: { id: string }) => row.id === communityId);
  expect(linked.total_aum).toBe((await about('stats', staff)).total_aum);
});

test('the total of the list is that of all communities', async () => {
  for (const as of [superAdmin, staff, staffMulti]) {
    const { data } = (
      await send(product.app, 'GET /api/communities', { query: { include_aum: 'true' } }, as)
    ).json();
    const { meta } = (await send(product.app, 'GET /api/traders', { query: {} }, as)).json();
    const cents = (amount: string) => Math.round(Number(amount) * 1e6);
    expect(typeof meta.total_aum).toBe('string');
    expect(cents(meta.total_aum)).toBe(
      data.reduce((sum: number, row: { total_aum: string }) => sum + cents(row.total_aum), 0),
    );
  }
});

test('the AUM of past days keeps the pool capital of these days, and snapshots of equity have none', async () => {
  await snapshotEquity(product.db);
  await sumCommunityDays(product.db);
  const [{ day } = { day: '' }] = await owner<{ day: string }>('SELECT app.utc_day(now())::text AS day');
  const [{ equity } = { equity: '' }] = await owner<{ equity: string }>(
    'SELECT trim_scale(sum(equity))::text AS equity FROM community_day WHERE community_id = $1 AND day = $2',
    [communityId, day],
  );
  const capital = await owner<{ capital: string }>(
    'SELECT trim_scale(sum(capital))::text AS capital FROM community_capital_day WHERE community_id = $1 AND day = $2',
    [communityId, day],
  );
  expect(capital).toEqual([{ capital: '500' }]);
  expect(Number(equity) + 500).toBe(Number((await about('stats', superAdmin)).total_aum));
  // Tomorrow the day is a past one.
  await owner('UPDATE community_day SET day = day - 1 WHERE community_id = $1', [communityId]);
  await owner('UPDATE community_capital_day SET day = day - 1 WHERE community_id = $1', [communityId]);
  for (const as of [superAdmin, staff]) {
    const days = await about('days', as, { from: '2020-01-01', to: '2100-01-01' });
    expect(days).toHaveLength(2);
    expect(days[0].aum).toBe(days[1].aum);
    expect(days.map((each: { pool_capital: string }) => each.pool_capital)).toEqual(['500', '500']);
  }
});

test('what is said of marks is said of traders in scope alone', async () => {
  const id = await trader({ selected_provider_id: foreign });
  await account(id, foreign, '5');
  const marks = (scope: string, providers: string) =>
    asOwner(
      product.ownerUrl,
      `WITH s AS MATERIALIZED (SELECT set_config('copydesk.scope', $2, false), set_config('copydesk.provider_ids', $3, false))
       SELECT m.trader_id FROM s, app.trader_marks(ARRAY[$1::uuid]) m`,
      [id, scope, providers],
    );
  expect(await marks('providers', mine)).toEqual([]);
  expect(await marks('providers', '')).toEqual([]);
  expect(await marks('providers', foreign)).toHaveLength(1);
});

const about = async (what: string, as: string, query: Record<string, string> = {}) =>
  (
    await send(
      product.app,
      `GET /api/communities/{id}/${what}` as 'GET /api/communities/{id}/stats',
      { params: { id: communityId }, query },
      as,
    )
  ).json().data;

async function seesMine(as: string): Promise<boolean> {
  const { data } = (await send(product.app, 'GET /api/providers', {}, as)).json();
  return data.some(({ id }: { id: string }) => id === mine);
}
