import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import { closedPositionsBetween, equityAt, openPositionsAt } from '@copydesk/simulators/world';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { until } from '../../../../../../tests/support/until.ts';
import { openReadingGateway, readingDeps } from '../../../../../../tests/support/world/account-reading.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';
import type { ExchangeGateway } from '../../../integrations/exchanges/gateway.ts';
import type { WorkLoop } from '../../../platform/work/work-loop.ts';
import { startAccountReader } from './account-reader.ts';
import { readAccount } from './read-account.ts';
import { claimAccounts } from './reading.store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WORKER = { kind: 'system', id: 'test', name: 'test' } as const;

let venues: TestVenues;
let product: TestApp;
let token: string;
let gateway: ExchangeGateway;
let reader: WorkLoop | null = null;

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({ scale: 0.1, seededAt, env: venues.env });
  token = await product.signIn('super');
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});
beforeEach(() => {
  for (const exchange of EXCHANGES) {
    venues.of[exchange].faults.clear();
    venues.of[exchange].requests.reset();
  }
  gateway = openReadingGateway(product, venues.now);
});
afterEach(async () => {
  await reader?.stop();
  reader = null;
  await gateway.close();
});

const deps = () => readingDeps(product, gateway, venues.now);
const own = <R extends Record<string, unknown>>(text: string) => asOwner<R>(product.ownerUrl, text);
const makeAllDue = () => own('UPDATE account_reading SET due_at = now(), leased_until = NULL');

/** Runs a reader until no account is due any more. */
async function readAllDue(): Promise<void> {
  reader = startAccountReader({ ...deps(), atOnce: 8 });
  await until(async () => {
    const [left] = await own<{ n: number }>(
      'SELECT count(*)::int AS n FROM account_reading WHERE due_at <= now() OR leased_until IS NOT NULL',
    );
    return left?.n === 0;
  });
  await reader.stop();
  reader = null;
}

/** What a busy machine makes of an exchange that answers late. */
const PASSING = `('timeout', 'venue_unavailable', 'rate_limited', 'bad_response', 'clock_skew')`;

/** On a busy machine a range is read on later, and a simulated exchange may answer too late. */
async function readThrough(): Promise<void> {
  for (let round = 1; round <= 20; round += 1) {
    await makeAllDue();
    await readAllDue();
    const left = await own(`SELECT FROM account_reading r JOIN exchange_account a ON a.id = r.account_id
      WHERE a.removed_at IS NULL AND (r.closed_since IS NOT NULL OR a.read_error IN ${PASSING}
        OR a.read_error IS NULL AND (a.equity IS NULL OR r.failures > 0))`);
    if (left.length === 0) return;
  }
}

interface Stored extends Record<string, unknown> {
  id: string;
  exchange: Exchange;
  acc_uid: string;
  equity: string | null;
  read_error: string | null;
  positions: number;
  closed: string[];
}

/** @param closedTo leaves out what was closed later */
const listStored = (closedTo = '2100-01-01') =>
  own<Stored>(`SELECT a.id, a.exchange, a.acc_uid, a.equity::text, a.read_error,
    (SELECT count(*)::int FROM open_position o WHERE o.account_id = a.id) AS positions,
    ARRAY(SELECT venue_id || ' ' || trim_scale(round(closed_pnl, 4)) FROM closed_position c
      WHERE c.account_id = a.id AND c.closed_at < '${closedTo}' ORDER BY 1) AS closed
    FROM exchange_account a WHERE a.removed_at IS NULL ORDER BY a.id`);

test('every account is read: equity, open positions, and every closed position once', {
  timeout: 300_000,
}, async () => {
  venues.advance(30 * HOUR);
  await readThrough();
  // A second round over the same time adds nothing.
  const firstReadAt = new Date(venues.now() - HOUR).toISOString();
  const before = await listStored(firstReadAt);
  await own('UPDATE account_reading SET closed_read_at = NULL, closed_rescanned_at = NULL');
  const readFrom = venues.now();
  await readThrough();
  const stored = await listStored();
  expect((await listStored(firstReadAt)).map(({ closed }) => closed)).toEqual(
    before.map(({ closed }) => closed),
  );

  let readable = 0;
  for (const row of stored) {
    const account = venues.accounts.list(row.exchange).find(({ accUid }) => accUid === row.acc_uid);
    if (!account) throw new Error(`${row.exchange} ${row.acc_uid} is in no world`);
    if (row.read_error !== null) continue;
    readable += 1;
    const now = venues.now();
    const wanted = closedPositionsBetween(account, account.epochMs + 1, now - HOUR);
    const missing = wanted.filter(({ venueId }) => !row.closed.some((own) => own.startsWith(`${venueId} `)));
    expect(missing, `${row.exchange} ${row.acc_uid}`).toEqual([]);
    expect(new Set(row.closed).size).toBe(row.closed.length);
    // One may open or close between the read and now.
    const moments = Array.from({ length: 21 }, (_, nth) => readFrom + ((now - readFrom) * nth) / 20);
    expect(moments.map((at) => openPositionsAt(account, at).length)).toContain(row.positions);
    // Prices walk on between the read and now.
    expect(Math.abs(Number(row.equity) - equityAt(account, now))).toBeLessThan(
      50 + Number(row.equity) * 0.05,
    );
  }
  expect(readable / stored.length).toBeGreaterThan(0.9);

  const [sums] = await own<{ wrong: number }>(`SELECT count(*)::int AS wrong FROM (
    SELECT account_id, app.utc_day(closed_at) AS day, count(*) AS n, sum(coalesce(closed_pnl, 0)) AS pnl,
      count(*) FILTER (WHERE closed_pnl IS NULL) AS unknown
    FROM closed_position GROUP BY 1, 2) c
    FULL JOIN (SELECT * FROM closed_position_day WHERE positions <> 0) d USING (account_id, day)
    WHERE (c.n, c.pnl, c.unknown) IS DISTINCT FROM (d.positions, d.closed_pnl, d.unknown_profit)`);
  expect(sums?.wrong).toBe(0);
});

test('when a key ends is read once a day, where the exchange says it', async () => {
  await own('UPDATE exchange_account SET key_read_at = NULL, key_expires_at = NULL');
  await readThrough();
  const keys = () =>
    own<{ exchange: Exchange; acc_uid: string; ends: string | null; read_at: Date | null }>(
      `SELECT exchange, acc_uid, key_expires_at::date::text AS ends, key_read_at::text AS read_at
       FROM exchange_account WHERE removed_at IS NULL AND read_error IS NULL ORDER BY id`,
    );
  const read = await keys();
  const today = Math.floor(venues.now() / DAY) * DAY;
  const daysLeft = new Set<number>();
  for (const { exchange, acc_uid, ends, read_at } of read) {
    const account = venues.accounts.list(exchange).find(({ accUid }) => accUid === acc_uid);
    const endsAtAll = exchange === 'bybit' && account?.traits.ipWhitelist.length === 0;
    expect([read_at !== null, ends !== null], acc_uid).toEqual([exchange === 'bybit', endsAtAll]);
    if (ends !== null) daysLeft.add((Date.parse(ends) - today) / DAY);
  }
  // Most were made lately; each of the others has an end of its own.
  expect(daysLeft).toContain(90);
  expect([...daysLeft].every((days) => days === 90 || (days >= 2 && days < 14))).toBe(true);
  await readThrough();
  expect(await keys()).toEqual(read);
  // The trader bound it to our addresses since, or renewed it.
  await own(`UPDATE exchange_account SET key_read_at = now() - interval '25 hours', key_expires_at = now()
    WHERE exchange = 'bybit'`);
  await readThrough();
  expect((await keys()).map(({ ends }) => ends)).toEqual(read.map(({ ends }) => ends));
});

test('a position that an exchange reports days late is found by the daily look back', {
  timeout: 60_000,
}, async () => {
  const [late] = await own<{ id: string; account_id: string }>(
    `SELECT c.id, c.account_id FROM closed_position c JOIN account_reading r USING (account_id)
     WHERE c.closed_at > r.closed_known_to - interval '20 hours' AND c.closed_at < r.closed_known_to - interval '3 hours'
       AND c.invoice_id IS NULL AND r.failures = 0 LIMIT 1`,
  );
  if (!late) throw new Error('nothing was closed in the last day');
  await own(`DELETE FROM closed_position WHERE id = '${late.id}'`);
  const count = async () =>
    (
      await own<{ n: number }>(
        `SELECT count(*)::int AS n FROM closed_position WHERE account_id = '${late.account_id}'`,
      )
    )[0]?.n ?? 0;
  const before = await count();
  await own(`UPDATE account_reading SET due_at = now(), closed_read_at = NULL, closed_rescanned_at = '${new Date(venues.now()).toISOString()}'
    WHERE account_id = '${late.account_id}'`);
  await readAllDue();
  expect(await count()).toBe(before); // an ordinary read looks back an hour only
  await own(`UPDATE account_reading SET due_at = now(), closed_read_at = NULL,
    closed_rescanned_at = '${new Date(venues.now() - 25 * HOUR).toISOString()}' WHERE account_id = '${late.account_id}'`);
  await readAllDue();
  expect(await count()).toBe(before + 1);
});

test('the account of a worker that died is read by another when its lease ends; late writes are refused', async () => {
  await own("UPDATE account_reading SET due_at = now() + interval '1 hour'");
  await own(`UPDATE account_reading SET due_at = now() WHERE account_id = (
    SELECT id FROM exchange_account WHERE exchange = 'bybit' AND read_error IS NULL ORDER BY id LIMIT 1)`);
  const claim = (leaseMs: number) =>
    product.db.write({ kind: 'all' }, WORKER, (tx) =>
      claimAccounts(tx, { exchange: 'bybit', limit: 5, leaseMs }),
    );
  const dead = await claim(300);
  expect(dead).toHaveLength(1);
  expect(await claim(300)).toHaveLength(0); // it has it to itself
  await new Promise((resolve) => setTimeout(resolve, 400));
  const heir = await claim(20_000);
  expect(heir.map(({ id }) => id)).toEqual(dead.map(({ id }) => id));
  // The first was only slow. It finishes now, and must not write over the other's turn.
  const state = () =>
    own(
      `SELECT lease_number, finished_at, leased_until FROM account_reading WHERE account_id = '${dead[0]?.id}'`,
    );
  const before = await state();
  await readAccount(deps(), dead[0] as (typeof dead)[number]);
  expect(await state()).toEqual(before);
  await readAccount(deps(), heir[0] as (typeof heir)[number]);
  expect(await state()).not.toEqual(before);
});

test('fifty refreshes of a trader at once are one read of each account', { timeout: 60_000 }, async () => {
  await own("UPDATE account_reading SET due_at = now() + interval '1 hour', leased_until = NULL");
  const [trader] = await own<{ id: string; accounts: number }>(
    `SELECT t.id, t.account_count AS accounts FROM trader t WHERE t.account_count > 1 AND NOT EXISTS (
       SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.read_error IS NOT NULL) ORDER BY t.id LIMIT 1`,
  );
  if (!trader) throw new Error('no trader with several accounts');
  const call = { params: { id: trader.id } };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send(product.app, 'POST /api/traders/{id}/refresh-aum', call, token)),
  );
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(answers[0]?.json().data).toMatchObject({ state: 'running', total: trader.accounts });
  reader = startAccountReader({ ...deps(), atOnce: 8 });
  await until(async () => {
    const progress = await send(product.app, 'GET /api/traders/{id}/refresh-aum', call, token);
    return progress.json().data.state !== 'running';
  });
  const done = await send(product.app, 'GET /api/traders/{id}/refresh-aum', call, token);
  expect(done.json().data).toMatchObject({ state: 'done', done: trader.accounts, failed: 0 });
  // Fifty asked; each account's equity was asked for once: kucoin tells it by currency, hyperliquid by dex.
  const equityCalls = EXCHANGES.flatMap((exchange) => venues.of[exchange].requests.list()).filter(
    ({ path, operation }) =>
      /wallet-balance|fapi\/v3\/account|api\/v5\/account\/balance|account-overview|clearinghouseState/.test(
        `${path} ${operation}`,
      ),
  );
  const asked = Map.groupBy(equityCalls, ({ account }) => account);
  expect(asked.size).toBe(trader.accounts);
  const times = (path = '') => (path.includes('account-overview') ? 4 : path === '/info' ? 3 : 1);
  for (const [account, calls] of asked) expect(calls.length, `${account}`).toBe(times(calls[0]?.path));
});

test('an exchange that is down is noted on its own accounts, is not stormed, and recovers', {
  timeout: 60_000,
}, async () => {
  venues.of.kucoin.faults.set({ kind: 'server_error' });
  await makeAllDue();
  await readAllDue();
  const stored = await listStored();
  const failing = stored.filter(({ read_error }) => read_error === 'venue_unavailable');
  expect(failing.length).toBeGreaterThan(3);
  expect(new Set(failing.map(({ exchange }) => exchange))).toEqual(new Set(['kucoin']));
  expect(venues.of.kucoin.requests.list().length).toBeLessThanOrEqual(failing.length * 8);

  venues.of.kucoin.faults.clear();
  await gateway.close();
  gateway = openReadingGateway(product, venues.now);
  await makeAllDue();
  await readAllDue();
  const after = await listStored();
  expect(after.filter(({ read_error }) => read_error === 'venue_unavailable')).toEqual([]);
});

test('wrong keys are reported, and not read more often than others', { timeout: 60_000 }, async () => {
  await makeAllDue();
  venues.of.okx.faults.set({ kind: 'wrong_key' });
  await readAllDue();
  const stored = await listStored();
  expect(
    stored
      .filter(({ exchange }) => exchange === 'okx')
      .every(({ read_error }) => read_error === 'invalid_credentials'),
  ).toBe(true);
  const [next] = await own<{ soonest: number }>(
    `SELECT extract(epoch FROM min(due_at) - now())::int AS soonest FROM account_reading WHERE exchange = 'okx'`,
  );
  expect(next?.soonest).toBeGreaterThan(400);
});
