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
import { readDuePools } from './reading/read-pools.ts';

let venue: Awaited<ReturnType<typeof startSimulatedPools>>;
let product: TestApp;
let owner: Owner;
let superAdmin: string;
let secondSuper: string;
let communityId: string;
beforeAll(async () => {
  venue = await startSimulatedPools([
    poolState(11, { ips: ['127.0.0.1'], funding: usdt(3), unified: usdt(1_000) }),
    poolState(12, { walletPermissions: ['AccountTransfer', 'Withdraw'] }),
    poolState(13, { walletPermissions: ['AccountTransfer', 'SubMemberTransfer'] }),
    poolState(14, { isReadOnly: true }),
    poolState(15),
    poolState(16),
  ]);
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
beforeEach(async () => {
  communityId = await addCommunity(owner, []);
  product.logged.length = 0;
});

const connect = (account: number, changes: object = {}) => {
  const { apiKey, secretKey } = poolAccount(account).credentials;
  return send(
    product.app,
    'POST /api/pooled-accounts',
    { body: { community_id: communityId, apiKey, secretKey, minimum_deposit: '100', ...changes } },
    superAdmin,
  );
};
const decide = (orderId: string, act: 'approve' | 'decline', who = secondSuper) =>
  send(product.app, `POST /api/orders/{id}/${act}`, { params: { id: orderId } }, who);
/** Connects a pool, and another super admin approves it. */
async function connectApproved(account: number) {
  const { data } = (await connect(account)).json();
  expect((await decide(data.order_id, 'approve')).json().data).toMatchObject({ state: 'approved' });
  return data;
}
const read = (everyMs = 0, now = venue.now) =>
  readDuePools({ db: product.db, poolKeys: POOL_KEYS, venue: venue.reads, now, everyMs });
const poolOf = async (id: string) =>
  (await send(product.app, 'GET /api/pooled-accounts/{id}', { params: { id } }, superAdmin)).json().data;

test.each([
  [12, 'This key may withdraw'],
  [13, 'This key may move money to other accounts'],
  [14, 'This key cannot move money between the wallets'],
])('the key of account %i is refused: %s', async (account, words) => {
  const answer = await connect(account);
  expect([answer.statusCode, answer.json().error]).toEqual([422, 'pool_key_refused']);
  expect(answer.json().message).toContain(words);
  expect(await owner('SELECT FROM pooled_account WHERE community_id = $1', [communityId])).toEqual([]);
});

test('a key that the exchange does not know is refused, and nothing is stored', async () => {
  const answer = await connect(11, { secretKey: 'wrong' });
  expect([answer.statusCode, answer.json().error]).toEqual([422, 'exchange_refused']);
  expect(await owner('SELECT FROM pooled_account WHERE community_id = $1', [communityId])).toEqual([]);
});

test('a key is checked where it is entered, and no pool is stored', async () => {
  const check = (account: number, changes: object = {}) => {
    const { apiKey, secretKey } = poolAccount(account).credentials;
    const body = { community_id: communityId, apiKey, secretKey, ...changes };
    return send(product.app, 'POST /api/pooled-accounts/check-key', { body }, superAdmin);
  };
  const good = await check(16);
  expect(good.statusCode, good.body).toBe(200);
  expect(good.json().data).toMatchObject({ uid: demoPoolAccount(16).uid });
  expect((await check(12)).json()).toMatchObject({
    error: 'pool_key_refused',
    message: expect.stringContaining('This key may withdraw'),
  });
  expect((await check(16, { secretKey: 'wrong' })).json().error).toBe('exchange_refused');
  const empty = await check(16, { apiKey: ' ' });
  expect(empty.statusCode).toBe(400);
  expect(empty.body).toContain('For other exchanges, apiKey and secretKey are required.');
  expect(await owner('SELECT FROM pooled_account WHERE community_id = $1', [communityId])).toEqual([]);
  await owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [communityId]);
  expect((await check(16)).json().error).toBe('community_archived');
});

test('a pool connects once, its key is sealed, and its balance is read with its time', async () => {
  const { apiKey, secretKey } = poolAccount(11).credentials;
  const [first, second] = await Promise.all([connect(11), connect(11)]);
  const answers = [first, second].toSorted((a, b) => a.statusCode - b.statusCode);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 409]);
  const { data } = answers[0]?.json() ?? {};
  expect(data).toMatchObject({
    community: { id: communityId },
    minimum_deposit: '100',
    fee_basis: 'net_carry',
    current_harvest_cycle: { status: 'stopped', step: 'trading', cycle_number: 1 },
    bybit_balance: '0',
    bybit_read: null,
    bybit_problem: null,
    is_active: false,
    awaits_approval: true,
    state: 'awaiting_approval',
  });
  await read();
  expect(await owner('SELECT FROM pool_exchange_read WHERE pooled_account_id = $1', [data.id])).toEqual([]);
  expect((await decide(data.order_id, 'approve', superAdmin)).json().error).toBe('own_approval');
  expect((await decide(data.order_id, 'approve')).statusCode).toBe(200);
  expect(await poolOf(data.id)).toMatchObject({ is_active: true, awaits_approval: false });
  const [connected] = await owner<{ address: string; has_bot: boolean }>(
    'SELECT bybit_deposit_address AS address, has_bot FROM pooled_account WHERE id = $1',
    [data.id],
  );
  expect(connected).toEqual({ address: demoPoolAccount(11).depositAddress, has_bot: false });
  communityId = await addCommunity(owner, []);
  expect((await connect(11)).json().error).toBe('exchange_account_taken');

  const stored = JSON.stringify(await owner('SELECT * FROM pool_key'));
  const audited = await owner(`SELECT after FROM audit_entry WHERE action = 'pool.connected'`);
  expect(audited).toHaveLength(1);
  for (const secret of [apiKey, secretKey])
    for (const place of [stored, JSON.stringify(audited), product.logged.join('\n')])
      expect(place).not.toContain(secret);

  // The exchange's clock is behind the one by which the pool was connected.
  venue.advance(60_000);
  await read();
  expect(await poolOf(data.id)).toMatchObject({
    bybit_balance: '0',
    bybit_read: { balance: '1003', read_at: expect.any(String) },
    bybit_problem: null,
  });
  const stats = await send(
    product.app,
    'GET /api/pooled-accounts/{id}/stats',
    { params: { id: data.id } },
    superAdmin,
  );
  expect(stats.json().data).toMatchObject({ exchange: '0', unbooked_result: '1003' });
  const whitelist = await send(
    product.app,
    'GET /api/pooled-accounts/ip-whitelist/{id}',
    { params: { id: data.id } },
    superAdmin,
  );
  expect(whitelist.json().data).toMatchObject({
    isRestricted: true,
    ips: ['127.0.0.1'],
    permissions: expect.arrayContaining(['Wallet.AccountTransfer']),
    uid: poolState(11).uid,
  });
});

test('a pool that waits does nothing, and a declined one is gone with its key', async () => {
  const { data } = (await connect(16)).json();
  const params = { id: data.id };
  const activate = await send(
    product.app,
    'PUT /api/pooled-accounts/{id}',
    { params, body: { is_active: true } },
    superAdmin,
  );
  expect(activate.json().error).toBe('order_waits');
  const start = await send(
    product.app,
    'POST /api/pooled-accounts/{id}/harvest',
    { params, body: { action: 'start' } },
    superAdmin,
  );
  expect(start.statusCode).toBe(409);
  expect((await decide(data.order_id, 'decline')).statusCode).toBe(200);
  expect(await owner('SELECT FROM pooled_account WHERE id = $1', [data.id])).toEqual([]);
  expect(await owner('SELECT FROM pool_key WHERE pooled_account_id = $1', [data.id])).toEqual([]);
  // The community and the account are free again.
  expect((await connect(16)).statusCode).toBe(202);
});

test('a failed read keeps the last balance with its time, and says why', async () => {
  const { id } = await connectApproved(15);
  venue.pools.deposit(poolState(15).uid, usdt(7));
  await read();
  const { bybit_read: before } = await poolOf(id);
  expect(before.balance).toBe('7');
  venue.pools.change(poolState(15).uid, (pool) => {
    pool.secretKey = 'changed at the exchange';
  });
  venue.advance(1_000);
  await read();
  const after = await poolOf(id);
  expect(after.bybit_read).toEqual(before);
  expect(after.bybit_problem).toMatch(/credentials/);
  const calls = venue.requests.list().length;
  await read(60_000);
  expect(venue.requests.list()).toHaveLength(calls);
});

test('a key is replaced by one of the same account, and reading goes on', async () => {
  const [{ id } = { id: '' }] = await owner<{ id: string }>(
    'SELECT id FROM pooled_account WHERE bybit_uid = $1',
    [poolState(15).uid],
  );
  expect((await poolOf(id)).bybit_problem).toMatch(/credentials/);
  const replace = (apiKey: string, secretKey: string) =>
    send(
      product.app,
      'PUT /api/pooled-accounts/{id}/key',
      { params: { id }, body: { apiKey, secretKey } },
      superAdmin,
    );
  const { apiKey, secretKey } = poolAccount(15).credentials;
  expect((await replace(apiKey, secretKey)).json().error).toBe('exchange_refused');
  const other = poolAccount(11).credentials;
  expect((await replace(other.apiKey, other.secretKey)).json().error).toBe('pool_other_account');
  venue.pools.change(poolState(15).uid, (pool) => {
    pool.walletPermissions = ['AccountTransfer', 'Withdraw'];
  });
  const changed = 'changed at the exchange';
  expect((await replace(apiKey, changed)).json().error).toBe('pool_key_refused');
  venue.pools.change(poolState(15).uid, (pool) => {
    pool.walletPermissions = ['AccountTransfer'];
  });
  const { json } = await replace(apiKey, changed);
  expect(json()).toMatchObject({ success: true, data: { id } });
  // It is due at once.
  venue.advance(1_000);
  await read(60_000);
  expect(await poolOf(id)).toMatchObject({ bybit_problem: null, bybit_read: { balance: '7' } });
  const audited = await owner(`SELECT after FROM audit_entry WHERE action = 'pool.key_replaced'`);
  expect(audited).toHaveLength(1);
  for (const place of [JSON.stringify(audited), product.logged.join('\n')])
    for (const secret of [apiKey, changed]) expect(place).not.toContain(secret);
});
