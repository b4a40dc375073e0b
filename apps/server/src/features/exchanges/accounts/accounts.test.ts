import type { CallInput } from '@copydesk/contract';
import type { ListedAccount } from '@copydesk/contract/exchanges';
import { ACCOUNT_STATES, EXCHANGE_PROBLEM_CODES, PASSING_PROBLEMS } from '@copydesk/domain/trading';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

type Query = NonNullable<CallInput<'GET /api/accounts'>['query']>;
type State = ListedAccount['state'];
interface Page {
  data: ListedAccount[];
  meta: { total: number; states: Record<State, number>; equity_unread: string; totals_at: string };
}
/** As the owner of the database sees an account, without the list's own statement. */
interface Truth extends Record<string, unknown> {
  id: string;
  provider_id: string;
  exchange: string;
  problem: string | null;
  equity: string | null;
  isDue: boolean;
  isOld: boolean;
  isNew: boolean;
}

const PERSONAS = ['super', 'staff', 'staff-multi'] as const;
type Persona = (typeof PERSONAS)[number];

let product: TestApp;
const tokens = {} as Record<Persona, string>;
const providers = {} as Record<Persona, string[]>;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.3 });
  const all = (await owner<{ id: string }>('SELECT id FROM provider')).map(({ id }) => id);
  for (const persona of PERSONAS) {
    tokens[persona] = await product.signIn(persona);
    const me = await send(product.app, 'GET /api/me', {}, tokens[persona]);
    const own = me.json<{ data: { providers: { id: string }[] } }>().data.providers;
    providers[persona] = persona === 'super' ? all : own.map(({ id }) => id);
  }
  expect(PERSONAS.map((persona) => providers[persona].length)).toEqual([all.length, 1, 3]);
  // Every state in every provider, and several at once: a refused key that is also due has one state.
  await owner(`UPDATE account_reading SET due_at = now() + interval '5 minutes' WHERE due_at <> 'infinity'`);
  await owner(`
    WITH n AS (SELECT id, row_number() OVER (PARTITION BY provider_id ORDER BY id) % 10 AS at
      FROM exchange_account WHERE removed_at IS NULL)
    UPDATE exchange_account a SET
      read_error = CASE n.at WHEN 1 THEN 'ip_not_allowed' WHEN 2 THEN 'key_locked' WHEN 3 THEN 'timeout'
        WHEN 4 THEN 'timeout' WHEN 7 THEN 'invalid_account' END,
      equity = CASE n.at WHEN 6 THEN NULL WHEN 7 THEN NULL ELSE coalesce(a.equity, 12.5) END,
      equity_read_at = CASE WHEN n.at IN (6, 7) THEN NULL WHEN n.at IN (1, 3) THEN now() - n.at * interval '5 hours'
        ELSE now() - interval '4 minutes' END
    FROM n WHERE n.id = a.id`);
  await owner(`
    WITH n AS (SELECT id, row_number() OVER (PARTITION BY provider_id ORDER BY id) % 10 AS at
      FROM exchange_account WHERE removed_at IS NULL)
    UPDATE account_reading r SET due_at = now() - interval '2 hours', failures = 3
    FROM n WHERE n.id = r.account_id AND n.at IN (1, 3, 5)`);
}, 60_000);
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

async function accounts(query: Query = {}, as: Persona = 'super'): Promise<Page> {
  const answer = await send(
    product.app,
    'GET /api/accounts',
    { query: { limit: '200', ...query } },
    tokens[as],
  );
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<Page>();
}

/** Every page of a list. */
async function whole(query: Query = {}, as: Persona = 'super'): Promise<ListedAccount[]> {
  const rows: ListedAccount[] = [];
  for (;;) {
    const { data, meta } = await accounts({ ...query, offset: String(rows.length) }, as);
    rows.push(...data);
    if (data.length === 0 || rows.length >= meta.total) return rows;
  }
}

const truths = () =>
  owner<Truth>(`SELECT a.id, a.provider_id, a.exchange, a.read_error AS problem, a.equity::text,
      r.due_at < now() - interval '1 hour' AS "isDue",
      coalesce(a.equity_read_at, a.connected_at) < now() - interval '1 hour' AS "isOld",
      a.equity_read_at IS NULL AS "isNew"
    FROM exchange_account a JOIN account_reading r ON r.account_id = a.id WHERE a.removed_at IS NULL`);

function stateOf({ problem, isDue, isOld, isNew }: Truth): State {
  const passes = (PASSING_PROBLEMS as string[]).includes(problem ?? '');
  if (problem !== null && !passes) return 'failing';
  if (isDue || (passes && isOld)) return 'unread';
  return isNew ? 'new' : 'read';
}

test.each(PERSONAS)(
  '%s: each account of its providers is in one state, and no other is listed',
  async (persona) => {
    const mine = (await truths()).filter(({ provider_id }) => providers[persona].includes(provider_id));
    const expected = new Map(mine.map((truth) => [truth.id, stateOf(truth)]));
    for (const state of ACCOUNT_STATES) expect([...expected.values()]).toContain(state);
    const rows = await whole({}, persona);
    expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(expected);
    expect(rows).toHaveLength(mine.length);

    const { meta } = await accounts({}, persona);
    for (const state of ACCOUNT_STATES) {
      const of = await whole({ state }, persona);
      expect(of.map(({ id }) => id).toSorted()).toEqual(
        [...expected].flatMap(([id, its]) => (its === state ? id : [])).toSorted(),
      );
      expect(meta.states[state]).toBe(of.length);
      const page = await accounts({ state }, persona);
      expect(page.meta.total).toBe(of.length);
      // The counts beside it do not depend on the state that is chosen.
      expect(page.meta.states).toEqual(meta.states);
    }
    const leftOut = mine.filter((truth) => ['failing', 'unread'].includes(stateOf(truth)));
    const sum = leftOut.reduce((total, { equity }) => total + Math.round(Number(equity ?? 0) * 100), 0) / 100;
    expect(Number(meta.equity_unread)).toBeCloseTo(sum, 0);
    expect((await accounts({ state: 'read' }, persona)).meta.equity_unread).toBe('0');
  },
);

interface Item {
  kind: string;
  subject: string;
  provider_id: string;
  count: number | null;
}
async function attention(as: Persona, kind: string): Promise<Item[]> {
  const found: Item[] = [];
  for (const tab of ['you', 'others', 'snoozed']) {
    let offset = 0;
    for (;;) {
      const query = { tab, group: 'keys', limit: '200', offset: String(offset) };
      const { data } = (await send(product.app, 'GET /api/attention', { query }, tokens[as])).json<{
        data: Item[];
      }>();
      found.push(...data.filter((item) => item.kind === kind));
      offset += data.length;
      if (data.length < 200) break;
    }
  }
  return found;
}

test.each(PERSONAS)('%s: what Attention counts is what the list behind it has', async (persona) => {
  const failing = await attention(persona, 'key_failing');
  expect(failing.length).toBeGreaterThan(0);
  expect(failing.map(({ subject }) => subject).toSorted()).toEqual(
    (await whole({ state: 'failing' }, persona)).map(({ id }) => id).toSorted(),
  );
  const unread = await attention(persona, 'accounts_unread');
  expect(unread.length).toBeGreaterThan(0);
  for (const { subject, provider_id, count } of unread) {
    const behind = { state: 'unread', exchange: subject, provider_id } as Query;
    expect((await accounts(behind, persona)).meta.total).toBe(count);
  }
  const counted = unread.reduce((sum, { count }) => sum + (count ?? 0), 0);
  expect((await accounts({ state: 'unread' }, persona)).meta.total).toBe(counted);
});

test('failing ones come first, the longest unread before others; pages join without a gap', async () => {
  const rows = await whole();
  const ranks = rows.map(({ state }) => ACCOUNT_STATES.indexOf(state));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  const since = rows.filter(({ state }) => state === 'failing').map((row) => row.since as string);
  expect(since).toEqual(since.toSorted());
  const up = await whole({ state: 'failing', orderDir: 'asc' });
  expect(up.map((row) => row.since)).toEqual(since.toReversed());

  const equities = (await whole({ orderBy: 'equity' })).map(({ equity }) => Number(equity ?? '-Infinity'));
  expect(equities).toEqual(equities.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));

  for (const query of [{}, { state: 'failing' }, { orderBy: 'equity' }] as Query[]) {
    const all = (await whole(query)).map(({ id }) => id);
    const pages: string[] = [];
    for (let offset = 0; offset < all.length; offset += 37)
      pages.push(
        ...(await accounts({ ...query, limit: '37', offset: String(offset) })).data.map(({ id }) => id),
      );
    expect(pages).toEqual(all);
    expect(new Set(pages).size).toBe(pages.length);
  }
  expect((await accounts({ offset: '100000' })).data).toEqual([]);
});

test('a row has what a person needs, and nothing of a key', async () => {
  const [row] = (await accounts({ state: 'failing', problem: 'ip_not_allowed' })).data;
  if (!row) throw new Error('no such account');
  const [truth] = await owner<{ trader: string; community: string; since: Date; due: Date }>(
    `SELECT coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name) AS trader, c.name AS community,
       a.equity_read_at AS since, r.due_at AS due
     FROM exchange_account a JOIN trader t ON t.id = a.trader_id JOIN community c ON c.id = t.community_id
     JOIN account_reading r ON r.account_id = a.id WHERE a.id = $1`,
    [row.id],
  );
  expect(row).toMatchObject({ problem: 'ip_not_allowed', state: 'failing', failures: 3 });
  expect(row.trader).toBe(truth?.trader);
  expect(row.community).toBe(truth?.community);
  expect(new Date(row.since ?? '')).toEqual(truth?.since);
  expect(new Date(row.next_read_at ?? '')).toEqual(truth?.due);
  expect(Object.keys(row).toSorted()).toEqual(
    'acc_uid account_type community community_id equity equity_read_at exchange failures id key_ends_at may_withdraw next_read_at problem provider_id provider_name since state trader trader_id'.split(
      ' ',
    ),
  );
  // An account that is being read says so, and one that is read has nothing to tell.
  await owner(`UPDATE account_reading SET leased_until = now() + interval '1 minute' WHERE account_id = $1`, [
    row.id,
  ]);
  expect(
    (await accounts({ problem: 'ip_not_allowed' })).data.find(({ id }) => id === row.id)?.next_read_at,
  ).toBe(null);
  for (const read of (await accounts({ state: 'read' })).data)
    expect(read.since === null).toBe(read.problem === null);
});

test('filters narrow rows, counts and the sum alike', async () => {
  const [community] = await owner<{ id: string }>(
    `SELECT t.community_id AS id FROM exchange_account a JOIN trader t ON t.id = a.trader_id
     WHERE a.removed_at IS NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  );
  const everything = await whole();
  const cases: [Query, (row: ListedAccount) => boolean][] = [
    [{ problem: 'key_locked' }, ({ problem }) => problem === 'key_locked'],
    [{ exchange: 'okx' }, ({ exchange }) => exchange === 'okx'],
    [{ provider_id: providers.staff[0] as string }, (row) => row.provider_id === providers.staff[0]],
    [{ community_id: community?.id as string }, (row) => row.community_id === community?.id],
    [
      { problem: 'timeout', exchange: 'bybit', state: 'unread' },
      (row) => row.problem === 'timeout' && row.exchange === 'bybit' && row.state === 'unread',
    ],
  ];
  for (const [query, isIn] of cases) {
    const expected = everything.filter(isIn);
    expect(expected.length, JSON.stringify(query)).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(everything.length);
    expect((await whole(query)).map(({ id }) => id).toSorted()).toEqual(
      expected.map(({ id }) => id).toSorted(),
    );
    const { meta } = await accounts(query);
    expect(meta.total).toBe(expected.length);
    const sum = expected
      .filter(({ state }) => state === 'failing' || state === 'unread')
      .reduce((total, { equity }) => total + Number(equity ?? 0), 0);
    expect(Number(meta.equity_unread)).toBeCloseTo(sum, 2);
  }
  // A provider out of scope has nothing for its filter.
  const foreign = providers.super.find((id) => !providers['staff-multi'].includes(id)) as string;
  expect((await accounts({ provider_id: foreign }, 'staff')).meta.total).toBe(0);
});

test('keys that end soon are those of Attention, for whoever sees them', async () => {
  await owner(`UPDATE exchange_account SET key_expires_at = NULL`);
  await owner(`WITH n AS (SELECT id, row_number() OVER (ORDER BY id) AS at FROM exchange_account WHERE removed_at IS NULL)
    UPDATE exchange_account a SET key_expires_at = now() + CASE n.at % 4 WHEN 0 THEN interval '13 days'
      WHEN 1 THEN interval '15 days' WHEN 2 THEN interval '-1 hour' END FROM n WHERE n.id = a.id`);
  for (const persona of PERSONAS) {
    const ending = await whole({ key_ends_soon: 'true' }, persona);
    expect(ending.length).toBeGreaterThan(0);
    for (const { key_ends_at: end, state } of ending) {
      expect(Date.parse(end ?? '')).toBeLessThan(Date.now() + 14 * 86_400_000);
      expect(state).not.toBe('failing');
    }
    const items = (
      await send(
        product.app,
        'GET /api/attention',
        { query: { group: 'keys', limit: '200' } },
        tokens[persona],
      )
    ).json<{ data: { kind: string; subject: string }[]; meta: { total: number } }>();
    const asItems = items.data.filter(({ kind }) => kind === 'key_expiring').map(({ subject }) => subject);
    if (items.meta.total <= 200) expect(ending.map(({ id }) => id).toSorted()).toEqual(asItems.toSorted());
    else expect(asItems.length).toBeGreaterThan(0);
    for (const row of await whole({}, persona))
      expect(row.key_ends_at === null).toBe(
        !(Date.parse(row.key_ends_at ?? '') < Date.now() + 14 * 86_400_000),
      );
  }
  await owner(`UPDATE exchange_account SET key_expires_at = NULL`);
});

test('finds accounts by what names their trader, or by themselves', async () => {
  const [row] = (await accounts({ state: 'read' })).data;
  if (!row) throw new Error('no account');
  const [trader] = await owner<{ reference: string; username: string }>(
    'SELECT reference_number AS reference, telegram_username AS username FROM trader WHERE id = $1',
    [row.trader_id],
  );
  const texts = [trader?.reference?.toLowerCase(), trader?.username?.toUpperCase(), row.acc_uid];
  for (const search of texts) {
    if (!search) continue;
    const { data, meta } = await accounts({ search });
    expect(
      data.map(({ id }) => id),
      search,
    ).toContain(row.id);
    expect(meta.total).toBe(data.length);
    expect(data.length).toBeLessThan(20);
  }
  // A text of nearly all references, and one too short for an index: all of them are found.
  const all = await owner<{ n: number }>(
    `SELECT count(*)::int AS n FROM exchange_account a JOIN trader t ON t.id = a.trader_id
     WHERE a.removed_at IS NULL AND t.reference_number ILIKE '%kait%'`,
  );
  expect((await accounts({ search: 'kait' })).meta.total).toBe(all[0]?.n);
  expect((await accounts({ search: 'ka' })).meta.total).toBeGreaterThanOrEqual(all[0]?.n ?? 0);
});

test('a search takes every text literally, and finds nothing out of scope', async () => {
  const [foreign] = await owner<{ acc_uid: string; reference: string }>(
    `SELECT a.acc_uid, t.reference_number AS reference FROM exchange_account a JOIN trader t ON t.id = a.trader_id
     WHERE a.removed_at IS NULL AND t.reference_number IS NOT NULL AND NOT EXISTS (SELECT FROM trader_provider s
       WHERE s.trader_id = t.id AND s.provider_id = $1) LIMIT 1`,
    [providers.staff[0]],
  );
  for (const search of [foreign?.acc_uid, foreign?.reference] as string[]) {
    expect((await accounts({ search })).meta.total).toBeGreaterThan(0);
    expect((await accounts({ search }, 'staff')).data).toEqual([]);
  }
  const hostile = [
    '%',
    'KAIT_',
    "'; DROP TABLE trader; --",
    '"',
    '*)',
    '😀'.repeat(20),
    'ı',
    'ﷺ',
    'a'.repeat(200),
  ];
  for (const search of hostile)
    for (const as of PERSONAS) expect((await accounts({ search }, as)).data).toEqual([]);
});

test('a removed account is not listed, and a problem without its code is refused', async () => {
  const before = await accounts({ state: 'failing' });
  const [row] = before.data;
  await owner('UPDATE exchange_account SET removed_at = now() WHERE id = $1', [row?.id]);
  expect((await whole({ state: 'failing' })).map(({ id }) => id)).not.toContain(row?.id);
  for (const query of [{ state: 'gone' }, { problem: 'nothing' }, { limit: '201' }, { secret: '1' }])
    expect((await send(product.app, 'GET /api/accounts', { query }, tokens.super)).statusCode).toBe(400);
  expect(EXCHANGE_PROBLEM_CODES).toContain(row?.problem);
});
