import type { CallAnswer } from '@copydesk/contract';
import type { OverviewFigure } from '@copydesk/contract/overview';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import type { FigureName } from '@copydesk/domain/overview';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { FIGURE_SOURCES } from '../../wiring/lists/figure-sources.ts';
import { noteFigures } from './figure-days.store.ts';

let product: TestApp;
const people = { super: '', staff: '', 'staff-multi': '' };
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  for (const name of Object.keys(people) as (keyof typeof people)[])
    people[name] = await product.signIn(name);
});
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
async function overview(as: string): Promise<Partial<Record<FigureName, OverviewFigure>>> {
  // The owner of the database announces nothing; after an act of a person here the figures are read again.
  await send(product.app, 'PATCH /api/me/settings', { body: {} }, as);
  const answer = await send(product.app, 'GET /api/overview', {}, as);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return Object.fromEntries(
    answer.json<{ data: OverviewFigure[] }>().data.map((figure) => [figure.name, figure]),
  );
}
async function list<Meta>(
  key: Parameters<typeof send>[1],
  query: Record<string, string>,
  as: string,
): Promise<Meta> {
  const answer = await send(product.app, key, { query }, as);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ meta: Meta }>().meta;
}
const monthStart = () => new Date().toISOString().slice(0, 8).concat('01');
const sum = (amounts: (string | null | undefined)[]) =>
  amounts.reduce((units, amount) => units + (decimalToUnits(amount ?? '0') ?? 0n), 0n);

test('staff sees its own part of what it may list, super admins all, in one order', async () => {
  const answer = await send(product.app, 'GET /api/overview', {}, people.super);
  expect(answer.json<{ data: OverviewFigure[] }>().data.map(({ name }) => name)).toEqual([
    'outstanding',
    'to_pay_out',
    'paid_out',
    'failed_or_stuck',
    'not_delivered',
  ]);
  expect(Object.keys(await overview(people.staff))).toEqual(['outstanding', 'paid_out', 'not_delivered']);
  const [all, some, one] = await Promise.all([
    overview(people.super),
    overview(people['staff-multi']),
    overview(people.staff),
  ]);
  const owed = [all, some, one].map(({ outstanding }) => Number(outstanding?.amount));
  expect(owed[0]).toBeGreaterThan(owed[1] as number);
  expect(owed[1]).toBeGreaterThan(owed[2] as number);
  expect(owed[2]).toBeGreaterThan(0);
});

test.each(Object.keys(people) as (keyof typeof people)[])(
  'each figure is that of its list, for %s',
  async (name) => {
    const as = people[name];
    // Some of this month, whatever the day is.
    await owner(`UPDATE payout SET created_at = now() WHERE id IN (SELECT p.id FROM payout p JOIN payable y ON y.payout_id = p.id
    JOIN provider o ON o.id = y.provider_id WHERE o.name = 'aurora' AND p.status = 'distributed' ORDER BY p.id LIMIT 3)`);
    const figures = await overview(as);
    const open = { status: 'pending', invoice_type: 'regular', is_archived: 'false', limit: '1' };
    expect(figures.outstanding?.count).toBe(
      (await list<{ total: number }>('GET /api/invoices/admin/all', open, as)).total,
    );
    expect(figures.outstanding?.part?.count).toBe(
      (await list<{ total: number }>('GET /api/invoices/admin/all', { ...open, is_overdue: 'true' }, as))
        .total,
    );
    const arrived = { status: 'distributed', created_at_from: monthStart(), limit: '1' };
    const paid = await list<{ total: number; total_amount: string }>(
      'GET /api/sweep-operations/admin/all',
      arrived,
      as,
    );
    expect(figures.paid_out).toMatchObject({ count: paid.total, amount: paid.total_amount });
    expect(paid.total).toBeGreaterThan(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(figures.paid_out?.days.at(-1)?.day).toBe(today);
    if (monthStart() > (figures.paid_out?.days[0]?.day ?? ''))
      expect(
        sum(
          figures.paid_out?.days.filter(({ day }) => day >= monthStart()).map(({ amount }) => amount) ?? [],
        ),
      ).toBe(sum([paid.total_amount]));
  },
);

test('what is to be paid out is the sum of what each community has pending', async () => {
  const rows = await owner<{ id: string }>('SELECT id FROM community');
  const amounts: string[] = [];
  let count = 0;
  for (const { id } of rows) {
    const answer = await send(
      product.app,
      'GET /api/super-admin/communities/{id}/pending-distributions',
      { params: { id } },
      people.super,
    );
    type Line = { amount: string; payableCount: number };
    const { recipients, held, unaddressed } =
      answer.json<Record<'recipients' | 'held' | 'unaddressed', Line[]>>();
    for (const line of [...recipients, ...held, ...unaddressed]) {
      amounts.push(line.amount);
      count += line.payableCount;
    }
  }
  const { to_pay_out: figure } = await overview(people.super);
  expect({ amount: sum([figure?.amount]), count: figure?.count }).toEqual({ amount: sum(amounts), count });
  expect(count).toBeGreaterThan(0);
});

test('failed and not delivered are what needs attention of these kinds', async () => {
  const [{ id: community } = { id: '' }] = await owner<{ id: string }>('SELECT id FROM community LIMIT 1');
  await owner(
    `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units, problem)
     VALUES ($1, 'failed', 'tip', $2, 3e18, 'reverted'), ($1, 'failed', 'tip', $2, 4.5e18, 'reverted')`,
    [community, `0x${'a1'.repeat(20)}`],
  );
  await owner(
    `INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, state, problem, requested_by)
     SELECT p.trader_id, p.provider_id, 'unpaid_invoices', 'en', 'x', concat_ws('-', 'overview', p.provider_id, n), 'failed',
       'blocked', 'test'
     FROM trader_provider p, generate_series(1, 3) n
     WHERE p.trader_id = (SELECT s.trader_id FROM trader_provider s JOIN provider o ON o.id = s.provider_id
       WHERE o.name = 'aurora' AND EXISTS (SELECT FROM trader_provider t WHERE t.trader_id = s.trader_id
         AND t.provider_id <> s.provider_id) ORDER BY s.trader_id LIMIT 1)`,
  );
  for (const as of Object.values(people)) {
    const figures = await overview(as);
    const items = (await send(product.app, 'GET /api/attention', { query: { limit: '200' } }, as)).json<{
      data: { kind: string; subject: string; amount: string | null; count: number }[];
    }>().data;
    const of = (...kinds: string[]) => items.filter(({ kind }) => kinds.includes(kind));
    const unread = of('message_failed', 'owner_unreached');
    // A person whom two providers did not reach is two items and one person.
    if (as === people.super) expect(unread.length).toBeGreaterThan(1);
    expect(figures.not_delivered).toMatchObject({
      amount: null,
      part: null,
      count: unread.reduce((n, item) => n + item.count, 0),
      subjects: new Set(unread.map(({ subject }) => subject)).size,
    });
    expect(unread.length).toBeGreaterThan(0);
    if (as !== people.super) continue;
    const failed = of('payouts_failed');
    expect(figures.failed_or_stuck?.part).toEqual({
      amount: unitsToDecimal(sum(failed.map(({ amount }) => amount))),
      count: failed.reduce((n, item) => n + item.count, 0),
    });
    expect(sum([figures.failed_or_stuck?.amount])).toBe(
      sum([...failed, ...of('payouts_stuck')].map(({ amount }) => amount)),
    );
  }
});

test('a day is noted by provider, the last time counts, and each sees the days of its own', async () => {
  const before = await overview(people.super);
  expect(before.outstanding?.days).toHaveLength(1);
  await noteFigures(product.db, FIGURE_SOURCES);
  await noteFigures(product.db, FIGURE_SOURCES);
  await owner(`INSERT INTO figure_day SELECT name, day - d, provider_id, amount_units * 2, n + 1
    FROM figure_day, generate_series(1, 40) d WHERE d <> 5`);
  for (const as of Object.values(people)) {
    const { outstanding, not_delivered } = await overview(as);
    // Today is as it is now, a day without a note is missing, and older ones are not shown.
    expect(outstanding?.days).toHaveLength(29);
    expect(outstanding?.days.at(-1)).toMatchObject({
      amount: outstanding?.amount,
      count: outstanding?.count,
    });
    expect(sum([outstanding?.days.at(-2)?.amount])).toBe(sum([outstanding?.amount, outstanding?.amount]));
    expect(not_delivered?.days.at(-2)?.amount).toBeNull();
  }
  await owner(`UPDATE figure_day SET day = day - 380 WHERE day < app.utc_day(now()) - 30`);
  await noteFigures(product.db, FIGURE_SOURCES);
  expect(
    await owner(
      'SELECT FROM figure_day WHERE day < app.utc_day(now()) - 30 AND day > app.utc_day(now()) - 400',
    ),
  ).toEqual([]);
  expect((await owner('SELECT FROM figure_day WHERE day < app.utc_day(now()) - 400')).length).toBe(0);
});

test('what the system did today is that of its lists, and begins with the day', async () => {
  const day = async () => {
    const answer = await send(product.app, 'GET /api/overview/today', {}, people.super);
    expect(answer.statusCode, answer.body).toBe(200);
    const { data } = answer.json<CallAnswer<'GET /api/overview/today'>>();
    return Object.fromEntries(data.map(({ name, count, amount }) => [name, { count, amount }]));
  };
  await owner(`WITH t AS (SELECT app.utc_day(now())::timestamp AT TIME ZONE 'UTC' AS day)
    INSERT INTO invoicing_run (state, invoices, amount_units, requested_by, created_at, finished_at)
    SELECT r.state, r.n, r.n * 1e18, 'test', t.day + r.created, t.day + r.finished
    FROM t, (VALUES ('done', 3, interval '-1 hour', interval '1 second'), ('done', 5, '-2 hours', '-1 second'),
      ('discarded', 7, '-1 hour', '1 second'), ('sending', 11, '-1 hour', NULL)) r (state, n, created, finished)`);
  await owner(`INSERT INTO deposit (chain_id, token_address, transaction_hash, log_index, block_number, block_hash, from_address,
      to_address, amount_units, trader_id, created_at)
    SELECT 99, '0x' || repeat('9', 40), '0x' || repeat('a', 64), n, 1, '0x' || repeat('b', 64), '0x' || repeat('c', 40),
      '0x' || repeat('d', 40), n * 1e17, (SELECT id FROM trader ORDER BY id LIMIT 1),
      CASE n WHEN 1 THEN app.utc_day(now())::timestamp AT TIME ZONE 'UTC' - interval '1 second' ELSE now() END
    FROM generate_series(1, 3) n`);
  await owner(`UPDATE harvest_cycle SET ended_at = now() - interval '2 days' WHERE ended_at IS NOT NULL`);
  const today = new Date().toISOString().slice(0, 10);
  const listed = await list<{ total: number; total_amount: string }>(
    'GET /api/sweep-operations/admin/all',
    { status: 'distributed', created_at_from: today, limit: '1' },
    people.super,
  );
  expect(listed.total).toBeGreaterThan(0);
  expect(await day()).toEqual({
    invoices: { count: 14, amount: '14' },
    deposits: { count: 2, amount: '0.5' },
    payouts: { count: listed.total, amount: listed.total_amount },
    harvests: { count: 0, amount: null },
  });
  await owner(`UPDATE harvest_cycle SET ended_at = now() WHERE id = (SELECT id FROM harvest_cycle LIMIT 1)`);
  expect((await day()).harvests).toEqual({ count: 1, amount: null });
  const refused = await send(product.app, 'GET /api/overview/today', {}, people.staff);
  expect(refused.statusCode).toBe(403);
});
