import { demoPoolAccount } from '@copydesk/simulators/world';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  poolAccount,
  poolState,
  startSimulatedPools,
} from '../../../../../tests/support/exchanges/simulated-pools.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { POOL_KEYS } from '../../../../../tests/support/test-keys.ts';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import { type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { findReadingStart, insertPositions } from './evidence/evidence.store.ts';
import { readDuePools } from './reading/read-pools.ts';

let venue: Awaited<ReturnType<typeof startSimulatedPools>>;
let product: TestApp;
let owner: Owner;
let superAdmin: string;
let secondSuper: string;
beforeAll(async () => {
  const numbers = [11, 12, 13, 14, 15];
  venue = await startSimulatedPools(numbers.map((number) => poolState(number)));
  product = await createTestApp({
    scale: 0.02,
    env: { EXCHANGE_BYBIT_URL: venue.url },
    exchangeClock: venue.now,
  });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
  secondSuper = await product.signIn('super-2');
});
afterAll(async () => {
  await product?.close();
  await venue?.[Symbol.asyncDispose]();
});

/** Each test has an exchange account of its own. */
let account = 10;
let uid: string;
beforeEach(() => {
  account += 1;
  uid = demoPoolAccount(account).uid;
});

const keysOf = () => {
  const { apiKey, secretKey } = poolAccount(account).credentials;
  return { apiKey, secretKey };
};
const connect = async () =>
  send(
    product.app,
    'POST /api/pooled-accounts',
    { body: { community_id: await addCommunity(owner, []), ...keysOf(), minimum_deposit: '100' } },
    superAdmin,
  );
const decide = (orderId: string, act: 'approve' | 'decline') =>
  send(product.app, `POST /api/orders/{id}/${act}`, { params: { id: orderId } }, secondSuper);
/** Connects the account as a pool, which another super admin approves. */
async function addConnected(): Promise<string> {
  const { data } = (await connect()).json();
  expect((await decide(data.order_id, 'approve')).statusCode).toBe(200);
  return data.id;
}
const toggle = (id: string, isActive: boolean) =>
  send(
    product.app,
    'PUT /api/pooled-accounts/{id}',
    { params: { id }, body: { is_active: isActive } },
    superAdmin,
  );
const start = (id: string) =>
  send(
    product.app,
    'POST /api/pooled-accounts/{id}/harvest',
    { params: { id }, body: { action: 'start' } },
    superAdmin,
  );
const holders = () =>
  owner<{ pool: string; is_ended: boolean }>(
    `SELECT pooled_account_id AS pool, held_until IS NOT NULL AS is_ended FROM account_holder
     WHERE acc_uid = $1 ORDER BY held_from`,
    [uid],
  );
const TAKEN = [409, 'exchange_account_taken'];

test('another pool may connect the account of a pool that was switched off, which then cannot be switched on', async () => {
  const first = await addConnected();
  const refused = await connect();
  expect([refused.statusCode, refused.json().error]).toEqual(TAKEN);
  expect((await toggle(first, false)).json().data).toMatchObject({ is_active: false });
  expect(await holders()).toEqual([{ pool: first, is_ended: true }]);

  // The same key: a pool that waits for its approval holds the account.
  const { data: second } = (await connect()).json();
  expect(second.awaits_approval).toBe(true);
  const [on, key] = [
    await toggle(first, true),
    await send(
      product.app,
      'PUT /api/pooled-accounts/{id}/key',
      { params: { id: first }, body: keysOf() },
      superAdmin,
    ),
  ];
  for (const answer of [on, key]) expect([answer.statusCode, answer.json().error]).toEqual(TAKEN);
  expect(on.json().message).toContain('Disconnect it there first');

  expect((await decide(second.order_id, 'decline')).statusCode).toBe(200);
  expect((await toggle(first, true)).json().data).toMatchObject({ is_active: true });
  const again = await connect();
  expect([again.statusCode, again.json().error]).toEqual(TAKEN);
  expect(await holders()).toEqual([
    { pool: first, is_ended: true },
    { pool: first, is_ended: false },
  ]);
  const audited = await owner<{ after: object }>(
    `SELECT after FROM audit_entry WHERE action = 'pool.changed' AND target_id = $1 ORDER BY seq`,
    [first],
  );
  expect(audited.map(({ after }) => after)).toEqual([{ is_active: false }, { is_active: true }]);
});

test('of two that take the account at once, one has it', async () => {
  const first = await addConnected();
  await toggle(first, false);
  const answers = await Promise.all([toggle(first, true), connect(), connect()]);
  const refused = answers.filter(({ statusCode }) => statusCode >= 400);
  expect(refused.map((answer) => [answer.statusCode, answer.json().error])).toEqual([TAKEN, TAKEN]);
  expect((await holders()).filter(({ is_ended }) => !is_ended)).toHaveLength(1);
});

test('what happened at the account while a pool was switched off is not its own', async () => {
  const first = await addConnected();
  await toggle(first, false);
  const second = await addConnected();
  venue.pools.startTrading(uid, 2_000, 1_000);
  venue.advance(10_000);
  venue.pools.stopTrading(uid);
  venue.pools.change(uid, ({ closed }) => {
    for (const one of closed) one.closedAt = Date.now(); // by the clock of the database, which holds are noted by
  });
  const positionsOf = async (pool: string) =>
    (await owner('SELECT FROM pool_position WHERE pooled_account_id = $1', [pool])).length;

  // The account is not read for a pool that does not hold it.
  const calls = venue.requests.list().length;
  expect((await start(first)).json().error).toBe('pool_inactive');
  expect(venue.requests.list()).toHaveLength(calls);
  await start(second);
  expect(await positionsOf(second)).toBeGreaterThan(0);

  expect((await toggle(second, false)).statusCode).toBe(200);
  expect((await toggle(first, true)).statusCode).toBe(200);
  const [cycle] = await owner<{ id: string; held_from: Date; created_at: Date }>(
    `SELECT h.id, k.held_from, h.created_at FROM harvest_cycle h
     JOIN account_holder k ON k.pooled_account_id = h.pooled_account_id AND k.held_until IS NULL
     WHERE h.pooled_account_id = $1`,
    [first],
  );
  if (!cycle) throw new Error('there is no cycle');
  expect(cycle.held_from.getTime()).toBeGreaterThan(cycle.created_at.getTime());
  const since = await product.db.read(WHOLE_SCOPE, (tx) =>
    findReadingStart(tx, { poolId: first, cycleId: cycle.id }),
  );
  const { held_from: begin } = cycle;
  expect(since).toEqual({ cycleSince: begin, positionsSince: begin, logSince: begin });
  await start(first);
  expect(await positionsOf(first)).toBe(0);
  // One that a reader meets all the same is not stored either.
  const [close] = await owner<{ closedAt: Date }>(
    'SELECT closed_at AS "closedAt" FROM pool_position WHERE pooled_account_id = $1 LIMIT 1',
    [second],
  );
  const position = {
    venueId: 'met',
    symbol: 'BTCUSDT',
    side: 'long',
    entryPrice: '1',
    exitPrice: '1',
  } as const;
  const meet = (closedAt: number) =>
    product.db.write(WHOLE_SCOPE, { kind: 'system', id: 'test', name: 'test' }, (tx) =>
      insertPositions(tx, { poolId: first, cycleId: cycle.id }, [
        {
          ...position,
          leverage: null,
          contracts: '1',
          closedPnl: '1',
          feesIncluded: true,
          openedAt: null,
          closedAt,
        },
      ]),
    );
  await meet(close?.closedAt.getTime() as number);
  expect(await positionsOf(first)).toBe(0);
  await meet(Date.now());
  expect(await positionsOf(first)).toBe(1);
});

test('a pool that is switched off is not read, and is read again afterwards', async () => {
  const read = () =>
    readDuePools({ db: product.db, poolKeys: POOL_KEYS, venue: venue.reads, now: venue.now, everyMs: 0 });
  const balance = async (id: string) =>
    (await send(product.app, 'GET /api/pooled-accounts/{id}', { params: { id } }, superAdmin)).json().data
      .bybit_read?.balance;
  const first = await addConnected();
  venue.pools.deposit(uid, usdt(7));
  await read();
  expect(await balance(first)).toBe('7');
  await toggle(first, false);
  venue.pools.deposit(uid, usdt(5));
  venue.advance(1_000);
  await read();
  expect(await balance(first)).toBe('7');
  await toggle(first, true);
  venue.advance(1_000);
  await read();
  expect(await balance(first)).toBe('12');
});
