import { sumDecimals } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
const tokens: Record<string, string> = {};
/** A trader with accounts of two providers, so that each sees only a part of it. */
let trader: { id: string; mine: string; total: number; net: string };

interface Position {
  id: string;
  symbol: string;
  closed_pnl: string;
  date: string;
  acc_uid: string;
}

beforeAll(async () => {
  product = await createTestApp({ scale: 0.2 });
  for (const persona of ['super', 'staff'] as const) tokens[persona] = await product.signIn(persona);
  const [found] = await asOwner<typeof trader>(
    product.ownerUrl,
    `SELECT t.id, s.id AS mine, count(*)::int AS total, trim_scale(sum(c.closed_pnl))::text AS net
     FROM trader t JOIN closed_position c ON c.trader_id = t.id
     CROSS JOIN (SELECT id FROM provider ORDER BY lower(name) LIMIT 1) s
     GROUP BY t.id, s.id
     HAVING bool_or(c.provider_id = s.id) AND bool_or(c.provider_id <> s.id) ORDER BY count(*) DESC LIMIT 1`,
  );
  if (!found) throw new Error('no trader with positions under two providers');
  trader = found;
});
afterAll(() => product.close());

const list = (query: Record<string, string>, who = 'super') =>
  send(
    product.app,
    'GET /api/traders/{id}/closed-positions',
    { params: { id: trader.id }, query },
    tokens[who],
  );

async function listAll(query: Record<string, string>, who = 'super'): Promise<Position[]> {
  return (await list({ limit: '10000', ...query }, who)).json().data;
}

test('pages join to the whole in the requested order, and the sums cover all of it', async () => {
  const whole = await listAll({});
  expect(whole).toHaveLength(trader.total);
  const pages: Position[] = [];
  for (let offset = 0; offset < trader.total; offset += 7) {
    const answer = (await list({ limit: '7', offset: String(offset) })).json();
    expect(answer.meta).toEqual({ total: trader.total, net_profit: trader.net, unknown_profit: 0 });
    pages.push(...answer.data);
  }
  expect(pages).toEqual(whole);
  expect(Number(sumDecimals(whole.map((position) => position.closed_pnl)))).toBe(Number(trader.net));
});

test.each([
  ['closed_at', (p: Position) => Date.parse(p.date)],
  ['closed_pnl', (p: Position) => Number(p.closed_pnl)],
  ['symbol', (p: Position) => p.symbol],
] as const)('by %s, up and down', async (orderBy, key) => {
  for (const orderDir of ['asc', 'desc']) {
    const keys = (await listAll({ orderBy, orderDir })).map<string | number>((position) => key(position));
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(keys).toEqual(orderDir === 'asc' ? sorted : sorted.reverse());
  }
});

test('days, symbol and account narrow list and sums alike', async () => {
  const whole = await listAll({});
  const middle = whole[Math.floor(whole.length / 2)] as Position;
  const day = middle.date.slice(0, 10);
  for (const [filter, fits] of [
    [{ from: day }, (p: Position) => p.date.slice(0, 10) >= day],
    [{ to: day }, (p: Position) => p.date.slice(0, 10) <= day],
    [{ from: day, to: day }, (p: Position) => p.date.slice(0, 10) === day],
    [{ symbol: middle.symbol }, (p: Position) => p.symbol === middle.symbol],
    [
      { acc_uid: middle.acc_uid, from: day },
      (p: Position) => p.acc_uid === middle.acc_uid && p.date.slice(0, 10) >= day,
    ],
  ] as const) {
    const wanted = whole.filter(fits);
    const answer = (await list({ limit: '10000', ...filter })).json();
    expect(answer.data).toEqual(wanted);
    expect(answer.meta.total).toBe(wanted.length);
    expect(Number(answer.meta.net_profit)).toBe(Number(sumDecimals(wanted.map((p) => p.closed_pnl))));
  }
  expect((await list({ symbol: 'NOSUCH' })).json()).toMatchObject({
    data: [],
    meta: { total: 0, net_profit: '0' },
  });
  for (const wrong of [{ from: 'yesterday' }, { limit: '-1' }, { orderBy: 'id' }, { unknown: 'x' }])
    expect((await list(wrong as unknown as Record<string, string>)).statusCode).toBe(400);
});

test('staff see the positions, sums, equity and calendar of their own provider only', async () => {
  const own = await listAll({}, 'staff');
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThan(trader.total);
  const [wanted] = await asOwner<{ total: number; net: string }>(
    product.ownerUrl,
    `SELECT count(*)::int AS total, trim_scale(sum(closed_pnl))::text AS net FROM closed_position
     WHERE trader_id = $1 AND provider_id = $2`,
    [trader.id, trader.mine],
  );
  expect((await list({}, 'staff')).json().meta).toEqual({
    total: wanted?.total,
    net_profit: wanted?.net,
    unknown_profit: 0,
  });

  const days = async (call: string, who: string) =>
    (
      await send(
        product.app,
        call,
        { params: { id: trader.id }, query: { from: '2000-01-01', to: '2100-01-01' } },
        tokens[who],
      )
    ).json().data;
  const calendar = await days('GET /api/traders/{id}/pnl-days', 'staff');
  expect(Number(sumDecimals(calendar.map((day: { closed_pnl: string }) => day.closed_pnl)))).toBe(
    Number(wanted?.net),
  );
  const [mine, all] = [
    await days('GET /api/traders/{id}/equity', 'staff'),
    await days('GET /api/traders/{id}/equity', 'super'),
  ];
  expect(mine.length).toBeGreaterThan(10);
  expect(Number(mine.at(-1).equity)).toBeLessThan(Number(all.at(-1).equity));
});

test('a position of unknown profit is listed as such, and every sum says that it leaves it out', async () => {
  const whole = await listAll({});
  const [first] = whole as [Position];
  const day = first.date.slice(0, 10);
  const setPnl = (pnl: string | null) =>
    asOwner(product.ownerUrl, 'UPDATE closed_position SET closed_pnl = $2 WHERE id = $1', [first.id, pnl]);
  const sums = async (query: Record<string, string>) => (await list({ limit: '1', ...query })).json().meta;
  const dayOf = async () => {
    const answer = await send(
      product.app,
      'GET /api/traders/{id}/pnl-days',
      { params: { id: trader.id }, query: { from: day, to: day } },
      tokens.super,
    );
    return answer.json().data[0];
  };
  const before = { all: await sums({}), symbol: await sums({ symbol: first.symbol }), day: await dayOf() };
  // Invoiced positions cannot change.
  await asOwner(product.ownerUrl, 'ALTER TABLE closed_position DISABLE TRIGGER invoiced_once');
  await setPnl(null);

  expect((await listAll({})).find(({ id }) => id === first.id)?.closed_pnl).toBeNull();
  for (const [query, was] of [
    [{}, before.all],
    [{ symbol: first.symbol }, before.symbol],
  ] as const) {
    const now = await sums(query);
    expect(now).toMatchObject({ total: was.total, unknown_profit: 1 });
    expect(Number(now.net_profit)).toBeCloseTo(Number(was.net_profit) - Number(first.closed_pnl), 6);
  }
  const { positions, closed_pnl, unknown_profit } = await dayOf();
  expect([positions, unknown_profit]).toEqual([before.day.positions, 1]);
  if (positions === 1) expect(closed_pnl).toBeNull();
  else expect(Number(closed_pnl)).toBeCloseTo(Number(before.day.closed_pnl) - Number(first.closed_pnl), 6);
  const csv = await send(
    product.app,
    'GET /api/traders/{id}/closed-positions/export',
    { params: { id: trader.id }, query: { from: day, to: day } },
    tokens.super,
  );
  const exported = linesOfCsv(csv.body).map((line) => line.split(',')[7]);
  expect(exported).toContain('');

  await setPnl(first.closed_pnl);
  await asOwner(product.ownerUrl, 'ALTER TABLE closed_position ENABLE TRIGGER invoiced_once');
  expect([await sums({}), await dayOf()]).toEqual([before.all, before.day]);
});

test('the export has the same rows in the same order', async () => {
  const answer = await send(
    product.app,
    'GET /api/traders/{id}/closed-positions/export',
    { params: { id: trader.id }, query: { orderBy: 'closed_pnl', orderDir: 'asc' } },
    tokens.super,
  );
  expect(answer.headers['content-type']).toContain('text/csv');
  const [heading, ...lines] = linesOfCsv(answer.body);
  expect(heading).toContain('Closed at,Symbol,Side,Entry Price,Exit Price');
  const listed = await listAll({ orderBy: 'closed_pnl', orderDir: 'asc' });
  expect(lines.map((line) => line.split(',')[0])).toEqual(listed.map(({ date }) => date));
  // The worst loss comes first, as the number that it is.
  const column = (heading ?? '').split(',').findIndex((name) => /PnL/.test(name));
  expect(lines[0]?.split(',')[column]).toMatch(/^-\d+(\.\d+)?$/);
});

test('every change of a trader is in its audit, newest first, for super admins alone', async () => {
  const change = (body: object) =>
    send(product.app, 'PATCH /api/traders/{id}', { params: { id: trader.id }, body }, tokens.super);
  await change({ reference_number: 'AUDIT-1' });
  await change({ status: 'pending' });
  const audit = (who: string) =>
    send(
      product.app,
      'GET /api/traders/{id}/audit',
      { params: { id: trader.id }, query: { limit: '2' } },
      tokens[who],
    );
  const { data, meta } = (await audit('super')).json();
  expect(data.map((entry: { action: string }) => entry.action)).toEqual([
    'trader.status_changed',
    'trader.changed',
  ]);
  expect(data[1].after).toEqual({ reference_number: 'AUDIT-1' });
  expect(meta.total).toBeGreaterThanOrEqual(2);
  expect((await audit('staff')).statusCode).toBe(403);
});
