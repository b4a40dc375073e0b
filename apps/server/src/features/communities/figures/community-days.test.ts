import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { addInvoicePayment } from '../../../../../../tests/support/world/invoices.ts';
import { ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { sumCommunityDays } from './community-days.store.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let communityId: string;
/** A trader of that community under the staff's provider, and one under another. */
let own: { trader_id: string; provider_id: string };
let foreign: { trader_id: string; provider_id: string };

beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const traders = await asOwner<{
    trader_id: string;
    provider_id: string;
    name: string;
    community_id: string;
  }>(
    product.ownerUrl,
    `SELECT i.trader_id, i.provider_id, p.name, i.community_id FROM invoice i JOIN provider p ON p.id = i.provider_id
     WHERE i.community_id = (
       SELECT community_id FROM invoice j JOIN provider q ON q.id = j.provider_id GROUP BY 1
       HAVING count(DISTINCT q.id) > 1 AND bool_or(q.name = 'aurora') LIMIT 1)`,
  );
  const aurora = traders.find(({ name }) => name === 'aurora');
  const other = traders.find(({ name }) => name !== 'aurora');
  if (!aurora || !other) throw new Error('no community with invoices of two providers');
  [own, foreign, communityId] = [aurora, other, aurora.community_id];
});
afterAll(() => product.close());

const days = async (as: string, query = { from: '2020-01-01', to: '2100-01-01' }) =>
  (
    await send(product.app, 'GET /api/communities/{id}/days', { params: { id: communityId }, query }, as)
  ).json().data as { day: string; aum: string | null; received: string; paid_out: string }[];
const on = async (as: string, day: string) => (await days(as, { from: day, to: day }))[0];

test('the days of a community are those of its traders, and of staff those under their provider', async () => {
  for (const [as, provider] of [
    [superAdmin, null],
    [staff, own.provider_id],
  ] as const) {
    const expected = await asOwner(
      product.ownerUrl,
      `SELECT s.day::text AS day, trim_scale(sum(s.equity))::text AS aum FROM equity_snapshot s
       JOIN trader t ON t.id = s.trader_id
       WHERE t.community_id = $1 AND ($2::uuid IS NULL OR s.provider_id = $2) AND s.day < app.utc_day(now()) GROUP BY s.day ORDER BY s.day`,
      [communityId, provider],
    );
    const today = new Date().toISOString().slice(0, 10);
    const told = (await days(as)).filter(({ aum, day }) => aum !== null && day < today);
    expect(told.map(({ day, aum }) => ({ day, aum }))).toEqual(expected);
  }
});

test('a payment counts on the day of its receipt, for the provider of its invoice', async () => {
  await pay(own, '1500000000000000000', '2031-05-06T23:59:59Z');
  await pay(own, '2000000000000000000', '2031-05-06T00:00:00Z');
  await pay(foreign, '10000000000000000000', '2031-05-06T12:00:00Z');
  expect(await on(staff, '2031-05-06')).toEqual({
    day: '2031-05-06',
    aum: null,
    pool_capital: '0',
    received: '3.5',
    paid_out: '0',
  });
  expect(await on(superAdmin, '2031-05-06')).toMatchObject({ aum: null, received: '13.5' });
});

test('payments that arrive together are all counted', async () => {
  await Promise.all(
    Array.from({ length: 10 }, () => pay(own, '1000000000000000000', '2031-05-07T12:00:00Z')),
  );
  expect((await on(superAdmin, '2031-05-07'))?.received).toBe('10');
});

test('payouts count on the day of their payment; staff see their part', async () => {
  for (const [as, provider] of [
    [superAdmin, null],
    [staff, own.provider_id],
  ] as const) {
    const expected = await asOwner(
      product.ownerUrl,
      `SELECT (y.paid_at AT TIME ZONE 'UTC')::date::text AS day, trim_scale(sum(y.amount_units) / 1e18)::text AS paid_out
       FROM payable y JOIN payout o ON o.id = y.payout_id
       WHERE o.community_id = $1 AND o.status = 'distributed' AND ($2::uuid IS NULL OR y.provider_id = $2)
       GROUP BY 1 ORDER BY 1`,
      [communityId, provider],
    );
    expect(expected.length).toBeGreaterThan(1);
    const told = (await days(as)).filter(({ paid_out }) => paid_out !== '0');
    expect(told.map(({ day, paid_out }) => ({ day, paid_out }))).toEqual(expected);
  }
});

test('a share counts on the day it was paid, to its last moment, and not before it is paid', async () => {
  for (const { provider_id, units } of [
    { ...own, units: '2500000000000000000' },
    { ...foreign, units: '4000000000000000000' },
  ])
    await asOwner(
      product.ownerUrl,
      `UPDATE payable SET paid_at = '2031-05-09T23:59:59.999Z', amount_units = $3 WHERE id = (
         SELECT id FROM payable WHERE community_id = $1 AND provider_id = $2 AND paid_at IS NOT NULL LIMIT 1)`,
      [communityId, provider_id, units],
    );
  const day = '2031-05-09';
  expect(await on(staff, day)).toEqual({ day, aum: null, pool_capital: '0', received: '0', paid_out: '2.5' });
  expect(await on(superAdmin, day)).toEqual({
    day,
    aum: null,
    pool_capital: '0',
    received: '0',
    paid_out: '6.5',
  });
  expect(await on(superAdmin, '2031-05-10')).toBeUndefined();
  await asOwner(product.ownerUrl, `UPDATE payable SET paid_at = NULL WHERE paid_at > '2031-05-09'`);
  expect(await on(superAdmin, day)).toBeUndefined();
});

test('the job adds up the snapshots of a day on every run, and leaves receipts alone', async () => {
  const [{ yesterday, today } = { yesterday: '', today: '' }] = await asOwner(
    product.ownerUrl,
    'SELECT (app.utc_day(now()) - 1)::text AS yesterday, app.utc_day(now())::text AS today',
  );
  const stats = (
    await send(product.app, 'GET /api/communities/{id}/stats', { params: { id: communityId } }, staff)
  ).json().data;
  const { received, paid_out } = (await on(staff, yesterday)) ?? { received: '0', paid_out: '0' };
  const snapshot = (equity: number) =>
    asOwner(
      product.ownerUrl,
      `INSERT INTO equity_snapshot (trader_id, provider_id, day, equity) VALUES ($1, $2, $3, $4)
       ON CONFLICT (trader_id, provider_id, day) DO UPDATE SET equity = excluded.equity`,
      [own.trader_id, own.provider_id, yesterday, equity],
    );
  await asOwner(product.ownerUrl, 'DELETE FROM equity_snapshot WHERE day = $1', [yesterday]);
  for (const equity of [100.5, 250]) {
    await snapshot(equity);
    await sumCommunityDays(product.db);
    expect(await on(staff, yesterday)).toMatchObject({
      day: yesterday,
      aum: String(equity),
      received,
      paid_out,
    });
    // Today is as of now, not as of the last run.
    expect((await on(staff, today))?.aum).toBe(stats.total_aum);
  }
});

async function pay(of: { trader_id: string; provider_id: string }, units: string, at: string): Promise<void> {
  const owner = ownerOf(product.ownerUrl);
  const [invoice] = await owner<{ id: string }>(
    'SELECT id FROM invoice WHERE trader_id = $1 AND provider_id = $2 AND community_id = $3 LIMIT 1',
    [of.trader_id, of.provider_id, communityId],
  );
  await addInvoicePayment(owner, invoice?.id as string, { units, receivedAt: at });
}

test('a day between others on which no account was read has no AUM: its pools alone are not all of it', async () => {
  const day = '2030-01-02';
  for (const of of ['2030-01-01', day, '2030-01-03'])
    await asOwner(
      product.ownerUrl,
      'INSERT INTO community_day (community_id, provider_id, day, equity) VALUES ($1, $2, $3, 1000)',
      [communityId, own.provider_id, of],
    );
  const addCapital = (of: string) =>
    asOwner(
      product.ownerUrl,
      'INSERT INTO community_capital_day (community_id, day, provider_ids, capital) VALUES ($1, $2, $3, 500)',
      [communityId, of, [own.provider_id]],
    );
  await addCapital(day);
  expect(await on(superAdmin, day)).toMatchObject({ aum: '1500', pool_capital: '500' });
  await asOwner(
    product.ownerUrl,
    'UPDATE community_day SET equity = NULL WHERE community_id = $1 AND day = $2',
    [communityId, day],
  );
  expect(await on(superAdmin, day)).toMatchObject({ aum: null });
  expect(await on(staff, day)).toMatchObject({ aum: null });
  // Where no later day has accounts, there are none any more: the pools are all.
  await addCapital('2031-06-01');
  expect(await on(superAdmin, '2031-06-01')).toMatchObject({ aum: '500', pool_capital: '500' });
});

test('changes of the split are listed with the days, for super admins', async () => {
  const patch = (split: number) =>
    send(
      product.app,
      'PATCH /api/super-admin/communities/{id}',
      { params: { id: communityId }, body: { split_percentage: split } },
      superAdmin,
    );
  const owner = ownerOf(product.ownerUrl);
  const [community] = await owner<{ split: string }>(
    'SELECT trim_scale(split_percentage)::text AS split FROM community WHERE id = $1',
    [communityId],
  );
  const [provider] = await owner<{ name: string; share: string }>(
    `SELECT coalesce(l.custom_display_name, p.display_name) AS name,
       trim_scale(100 * p.payment_split_percentage)::text AS share
     FROM provider p JOIN community_provider l ON l.provider_id = p.id AND l.community_id = $2 WHERE p.id = $1`,
    [own.provider_id, communityId],
  );
  expect((await patch(1.5)).statusCode).toBe(200);
  expect((await patch(Number(community?.split))).statusCode).toBe(200);
  // Another setting is no change of the split.
  await send(
    product.app,
    'PATCH /api/super-admin/communities/{id}',
    { params: { id: communityId }, body: { minimum_balance: 4321 } },
    superAdmin,
  );
  const shared = await send(
    product.app,
    'PUT /api/providers/{id}',
    { params: { id: own.provider_id }, body: { payment_split_percentage: 0.01 } },
    superAdmin,
  );
  expect(shared.statusCode, shared.body).toBe(200);
  // Of a provider that the community does not work with.
  await owner(
    `UPDATE community_provider SET created_at = now() + interval '1 day' WHERE community_id = $1 AND provider_id = $2`,
    [communityId, foreign.provider_id],
  );
  await send(
    product.app,
    'PUT /api/providers/{id}',
    { params: { id: foreign.provider_id }, body: { payment_split_percentage: 0.02 } },
    superAdmin,
  );
  const events = async (as: string, query = { from: '2020-01-01', to: '2100-01-01' }) =>
    (
      await send(product.app, 'GET /api/communities/{id}/days', { params: { id: communityId }, query }, as)
    ).json().meta.events;
  const day = new Date().toISOString().slice(0, 10);
  expect(await events(superAdmin)).toEqual([
    { day, provider: provider?.name, before: provider?.share, after: '1' },
    { day, provider: null, before: '1.5', after: community?.split },
    { day, provider: null, before: community?.split, after: '1.5' },
  ]);
  expect(await events(superAdmin, { from: '2020-01-01', to: '2020-12-31' })).toEqual([]);
  expect(await events(staff)).toEqual([]);
});
