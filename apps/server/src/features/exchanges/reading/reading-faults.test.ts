import { setTimeout as sleep } from 'node:timers/promises';
import { closedPositionsBetween } from '@copydesk/simulators/world';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '../../../../../../tests/support/long-test.ts';

import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { until } from '../../../../../../tests/support/until.ts';
import { openReadingGateway, readingDeps } from '../../../../../../tests/support/world/account-reading.ts';
import { linkAllProviders } from '../../../../../../tests/support/world/communities.ts';
import { startVenues, type TestVenues } from '../../../../../../tests/support/world/venues.ts';
import type { ExchangeGateway } from '../../../integrations/exchanges/gateway.ts';
import { createKeyring } from '../../../platform/secrets/keyring.ts';
import { rotateMasterKey } from '../../../platform/secrets/rotate-master-key.ts';
import type { WorkLoop } from '../../../platform/work/work-loop.ts';
import { SEALED_TABLES } from '../../../wiring/sealed-tables.ts';
import { startAccountReader } from './account-reader.ts';

const HOUR = 3_600_000;

let venues: TestVenues;
let product: TestApp;
let token: string;
let gateway: ExchangeGateway;
let reader: WorkLoop | null = null;
/** An account of bybit that can be read, and its trader. */
let account: { id: string; trader_id: string };

beforeAll(async () => {
  const seededAt = new Date();
  venues = await startVenues({ epoch: seededAt, traders: 60 });
  product = await createTestApp({ scale: 0.1, seededAt, env: venues.env, exchangeClock: venues.now });
  token = await product.signIn('super');
  await linkAllProviders(own);
  const readable = venues.accounts
    .list('bybit')
    .filter(
      ({ traits, equity }) => Number(equity) > 0 && !traits.isRevoked && traits.ipWhitelist.length === 0,
    )
    .map(({ accUid }) => `'${accUid}'`);
  account = await one(
    `SELECT id, trader_id FROM exchange_account WHERE exchange = 'bybit' AND acc_uid IN (${readable}) LIMIT 1`,
  );
});
afterAll(async () => {
  await product?.close();
  await venues?.close();
});
beforeEach(async () => {
  venues.of.bybit.faults.clear();
  venues.of.bybit.requests.reset();
  gateway = openReadingGateway(product, venues.now);
  await own(
    `UPDATE account_reading SET due_at = now() + interval '1 hour', leased_until = NULL, requested_at = NULL`,
  );
});
afterEach(async () => {
  await reader?.stop();
  reader = null;
  await gateway.close();
});

const own = <R extends Record<string, unknown>>(text: string) => asOwner<R>(product.ownerUrl, text);
const one = async <R extends Record<string, unknown>>(text: string) => (await own<R>(text))[0] as R;
const reading = () =>
  one<{
    failures: number;
    lease_number: string;
    finished: boolean;
    requested: boolean;
    closed_cursor: string | null;
    is_unfinished: boolean;
    due_in: number;
  }>(`SELECT failures, lease_number, finished_at IS NOT NULL AS finished, requested_at IS NOT NULL AS requested, closed_cursor,
        closed_until IS NOT NULL AS is_unfinished, least(extract(epoch FROM due_at - now()), 1e9)::int AS due_in
      FROM account_reading WHERE account_id = '${account.id}'`);
const makeDue = (changes = '') =>
  own(
    `UPDATE account_reading SET due_at = now(), finished_at = NULL, failures = 0 ${changes} WHERE account_id = '${account.id}'`,
  );

function startReader(leaseMs = 20_000): void {
  reader = startAccountReader({ ...readingDeps(product, gateway, venues.now), leaseMs, atOnce: 4 });
}

async function readOnce(): Promise<void> {
  startReader();
  await until(async () => (await reading()).finished);
  await reader?.stop();
  reader = null;
}

longTest('a slow exchange takes longer than a lease, and the account is still read once', async () => {
  // A number of this leader: taken once and given up once from there on.
  await makeDue(', lease_number = app.lease_floor()');
  const before = await reading();
  // Long enough for a renewal on a busy machine, which takes place each third of a lease.
  venues.of.bybit.faults.set({ kind: 'latency', ms: 4_500 });
  startReader(3_000);
  await until(async () => (await reading()).finished, 60_000);
  expect(Number((await reading()).lease_number)).toBe(Number(before.lease_number) + 2);
});

test('a refused write is a failed read with a pause, not a read every few seconds for ever', async () => {
  await own(
    'ALTER TABLE exchange_account ADD CONSTRAINT refuses_all CHECK (equity < 0 OR read_error IS NOT NULL) NOT VALID',
  );
  await makeDue(', requested_at = now(), refresh_started_at = now()');
  await readOnce();
  await own('ALTER TABLE exchange_account DROP CONSTRAINT refuses_all');
  const after = await reading();
  expect(after).toMatchObject({ failures: 1, requested: false });
  expect(after.due_in).toBeGreaterThan(20);
});

test('an unknown position in the history restarts the history', async () => {
  await makeDue(
    `, closed_since = now() - interval '2 days', closed_until = now(), closed_cursor = 'no-such-place'`,
  );
  await readOnce();
  expect(await reading()).toMatchObject({ failures: 1, closed_cursor: null, is_unfinished: true });
  await makeDue();
  await readOnce();
  expect(await reading()).toMatchObject({ failures: 0, closed_cursor: null, is_unfinished: false });
});

test('closed positions that could not be read are read in the next turn', async () => {
  await makeDue(', closed_read_at = NULL');
  venues.of.bybit.faults.set({ kind: 'server_error', path: '/v5/position/closed-pnl' });
  await readOnce();
  expect(await reading()).toMatchObject({ failures: 1, is_unfinished: true });
  venues.of.bybit.faults.clear();
  venues.of.bybit.requests.reset();
  await makeDue();
  await readOnce();
  expect(
    venues.of.bybit.requests.list().filter(({ path }) => path.includes('closed-pnl')).length,
  ).toBeGreaterThan(0);
  expect(await reading()).toMatchObject({ failures: 0, is_unfinished: false });
});

test('a trader whose removed account has no closed positions can be deleted once it was read for the last time', async () => {
  const { id: traderId } = await one<{ id: string }>(
    'SELECT id FROM trader WHERE account_count = 0 ORDER BY id DESC LIMIT 1',
  );
  const { id: providerId } = await one<{ id: string }>(
    "SELECT id FROM provider WHERE 'okx' = ANY (supported_exchanges) ORDER BY id LIMIT 1",
  );
  const spare = venues.spare('okx', 'plain');
  const { apiKey, secretKey, passphrase } = venues.accounts.credentialsOf(spare) as Record<string, string>;
  const body = { exchange: 'okx', provider_id: providerId, apiKey, secretKey, passphrase };
  const params = { id: traderId };
  expect(
    (await send(product.app, 'POST /api/traders/{id}/exchange', { params, body }, token)).statusCode,
  ).toBe(201);
  const gone = { exchange: 'okx', acc_uid: spare.accUid };
  await send(product.app, 'DELETE /api/traders/{id}/exchange', { params, body: gone }, token);
  const early = await send(product.app, 'DELETE /api/traders/{id}', { params }, token);
  expect(early.json()).toMatchObject({ error: 'trader_has_records' });
  account = await one(`SELECT id, trader_id FROM exchange_account WHERE trader_id = '${traderId}'`);
  // It was removed an hour ago: this read is the last one.
  await makeDue(", last_read_until = last_read_until - interval '61 minutes'");
  await readOnce();
  const deleted = await send(product.app, 'DELETE /api/traders/{id}', { params }, token);
  expect(deleted.statusCode, deleted.body).toBe(200);
});

test('an account that gets another key loses no closed position, and has none twice', {
  timeout: 60_000,
}, async () => {
  const { id: traderId } = await one<{ id: string }>(
    'SELECT id FROM trader WHERE account_count = 0 ORDER BY id LIMIT 1',
  );
  const { id: providerId } = await one<{ id: string }>(
    "SELECT id FROM provider WHERE 'bybit' = ANY (supported_exchanges) ORDER BY id LIMIT 1",
  );
  const spare = venues.spare('bybit', 'plain');
  const { apiKey, secretKey } = venues.accounts.credentialsOf(spare) as { apiKey: string; secretKey: string };
  const body = { exchange: 'bybit', provider_id: providerId, apiKey, secretKey };
  const params = { id: traderId };
  const connect = () => send(product.app, 'POST /api/traders/{id}/exchange', { params, body }, token);
  const connectedAt = venues.now();
  expect((await connect()).statusCode).toBe(201);
  account = await one(`SELECT id, trader_id FROM exchange_account WHERE trader_id = '${traderId}'`);
  await makeDue();
  await readOnce();

  venues.advance(40 * HOUR); // the worker was away and did not see what was closed meanwhile
  const gone = { exchange: 'bybit', acc_uid: spare.accUid };
  expect(
    (await send(product.app, 'DELETE /api/traders/{id}/exchange', { params, body: gone }, token)).statusCode,
  ).toBe(200);
  expect((await connect()).statusCode).toBe(201);
  await makeDue(', closed_read_at = NULL');
  await readOnce();
  const stored = await own<{ venue_id: string }>(
    `SELECT venue_id FROM closed_position WHERE trader_id = '${traderId}' ORDER BY venue_id`,
  );
  const wanted = closedPositionsBetween(spare, connectedAt, venues.now()).map(({ venueId }) => venueId);
  expect(wanted.length).toBeGreaterThan(3);
  expect(stored.map((row) => row.venue_id)).toEqual(wanted.sort());
  const { n } = await one<{ n: number }>(
    `SELECT count(*)::int AS n FROM exchange_account WHERE trader_id = '${traderId}'`,
  );
  expect(n).toBe(1);
});

test('removing an account waits for a read that is just being written, and neither fails', async () => {
  const row = await one<{ id: string; trader_id: string; acc_uid: string; exchange: string }>(
    `SELECT a.id, a.trader_id, a.acc_uid, a.exchange FROM exchange_account a WHERE removed_at IS NULL AND exchange = 'kucoin' LIMIT 1`,
  );
  const writer = new pg.Client({ connectionString: product.ownerUrl });
  await writer.connect();
  await writer.query("SELECT set_config('copydesk.scope', 'all', false)");
  await writer.query('BEGIN');
  await writer.query('UPDATE account_reading SET finished_at = now() WHERE account_id = $1', [row.id]);
  const removal = send(
    product.app,
    'DELETE /api/traders/{id}/exchange',
    { params: { id: row.trader_id }, body: { exchange: row.exchange, acc_uid: row.acc_uid } },
    token,
  );
  await sleep(300);
  await writer.query('UPDATE exchange_account SET equity_read_at = now() WHERE id = $1', [row.id]);
  await writer.query('COMMIT');
  await writer.end();
  expect((await removal).statusCode).toBe(200);
});

test('rotation reports no success while other processes hold some of the secrets', async () => {
  const next = createKeyring(
    'yet another master key, 0123456789-012345',
    ['test-master-key-0123456789-0123456789'],
    'test-index-key',
  );
  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  await holder.query("SELECT set_config('copydesk.scope', 'all', false)");
  await holder.query('BEGIN');
  await holder.query('SELECT FROM exchange_credential ORDER BY account_id LIMIT 5 FOR UPDATE');
  const rotation = rotateMasterKey(product.db, next, SEALED_TABLES);
  await sleep(600);
  await holder.query('ROLLBACK');
  await holder.end();
  await rotation;
  const { left } = await one<{ left: number }>(
    `SELECT count(*)::int AS left FROM exchange_credential WHERE master_key_id <> '${next.current.id}'`,
  );
  expect(left).toBe(0);
  await rotateMasterKey(
    product.db,
    createKeyring(
      'test-master-key-0123456789-0123456789',
      ['yet another master key, 0123456789-012345'],
      'test-index-key',
    ),
    SEALED_TABLES,
  );
});

test('dates that no calendar has, and uids that no database takes, are refused and not broken', async () => {
  const params = { id: account.trader_id };
  for (const call of [
    'GET /api/traders/{id}/closed-positions',
    'GET /api/traders/{id}/closed-positions/export',
  ])
    expect((await send(product.app, call, { params, query: { from: '0000-01-01' } }, token)).statusCode).toBe(
      400,
    );
  const body = { exchange: 'bybit', acc_uid: 'a\u0000b' };
  expect(
    (await send(product.app, 'DELETE /api/traders/{id}/exchange', { params, body }, token)).statusCode,
  ).toBe(400);
});
