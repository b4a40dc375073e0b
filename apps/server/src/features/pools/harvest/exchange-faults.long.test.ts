import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { poolAccount } from '../../../../../../tests/support/exchanges/simulated-pools.ts';
import { BOX, KEYRING } from '../../../../../../tests/support/test-keys.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { sealPoolKey } from '../keys/pool-key-box.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

const HOUR_MS = 3_600_000;

let world: PoolWorld;
let lastAccount = 0;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 11 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;
type RecordFault =
  | 'deposit_held'
  | 'deposit_rolled_back'
  | 'deposit_under_review'
  | 'deposit_short'
  | 'records_late';

async function rounds(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await world.round();
}

const cycleOf = async ({ poolId }: Pool) => (await world.pool(poolId)).current_harvest_cycle;
const progressOf = async ({ poolId }: Pool) =>
  (await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id: poolId } })).body.data;
const unifiedOf = ({ uid }: Pool) => world.venue.pools.get(uid).unified;

/** An open pool of 1,000 USDT. */
async function addFilled(): Promise<Pool> {
  lastAccount += 1;
  const pool = await world.addOpenPool({ account: lastAccount, members: 1 });
  await world.chain.pay(pool.members[0]?.address as string, usdt(1_000));
  await world.chain.finalize();
  for (let nth = 0; nth < 20 && (await world.pool(pool.poolId)).total_virtual_balance !== '1000'; nth += 1)
    await world.round();
  return pool;
}

/** The same, told to stop: the next deposit at the exchange meets this fault. */
async function addStopping(fault: RecordFault, ms?: number): Promise<Pool> {
  const pool = await addFilled();
  world.venue.faults.set({ kind: fault, account: pool.uid, times: 1, ...(ms && { ms }) });
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await world.until(pool.poolId, 'stopping_harvesting/crediting');
  await rounds(3);
  return pool;
}

/** Two super admins decide how a failed cycle goes on. @returns the refusal of the second one */
async function resolve(pool: Pool, kind: string): Promise<string | undefined> {
  const { version } = await cycleOf(pool);
  const params = { id: pool.poolId };
  const proposed = await world.askAnything('POST /api/pooled-accounts/{id}/harvest/resolution', {
    params,
    body: { kind, evidence: 'ticket at Bybit', version },
  });
  expect(proposed.status).toBe(200);
  const confirmed = await world.askAnything(
    'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm',
    { params: { ...params, resolutionId: proposed.body.data.proposal?.id as string } },
    {},
    world.other,
  );
  return confirmed.body.error;
}

/** Nothing was sent twice: the pool trades with what it had. */
async function expectTrading(pool: Pool): Promise<void> {
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
  expect(unifiedOf(pool)).toBe(usdt(1_000));
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(0n);
  expect(await world.differing()).toBe(0);
}

test('a deposit that Bybit holds is waited for', async () => {
  const pool = await addStopping('deposit_held');
  expect((await progressOf(pool)).waits_because).toMatch(/^deposit_/);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_transit: usdt(1_000) });
  world.venue.pools.release(pool.uid);
  await expectTrading(pool);
});

test('a deposit that Bybit is rolling back is waited for until the deadline, and again after a retry', async () => {
  const pool = await addStopping('deposit_rolled_back');
  expect((await progressOf(pool)).waits_because).toBe('deposit_rolling_back');
  world.venue.advance(4 * HOUR_MS);
  await world.until(pool.poolId, 'failed');
  expect((await cycleOf(pool)).reason).toBe('deadline_passed');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_transit: usdt(1_000) });
  expect((await world.act(pool.poolId, { action: 'retry' })).status).toBe(200);
  world.venue.pools.release(pool.uid);
  await expectTrading(pool);
});

test('a deposit whose rollback ended badly fails the cycle: two people say how it goes on', async () => {
  const pool = await addStopping('deposit_under_review');
  await world.until(pool.poolId, 'failed');
  expect((await cycleOf(pool)).reason).toBe('deposit_rejected');
  expect((await world.act(pool.poolId, { action: 'retry' })).body.error).toBe('decision_required');
  // Nothing has come back, so it cannot be sent again.
  expect(await resolve(pool, 'funding_bounced')).toBe('returns_missing');
  world.venue.pools.release(pool.uid);
  // Another proposal takes the place of the one that cannot be confirmed.
  expect(await resolve(pool, 'repeat')).toBe(undefined);
  await expectTrading(pool);
});

test('less than was sent is credited: two people accept the loss, which is part of the next result', async () => {
  const pool = await addStopping('deposit_short');
  expect((await progressOf(pool)).waits_because).toBe('amount_differs');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_transit: usdt(10), pool_exchange: usdt(990) });
  world.venue.advance(4 * HOUR_MS);
  await world.until(pool.poolId, 'failed');
  expect(await resolve(pool, 'funding_lost')).toBe(undefined);
  await world.until(pool.poolId, 'stopped');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_shortfall: usdt(10), pool_exchange: usdt(990) });
  expect(unifiedOf(pool)).toBe(usdt(990));
  world.earn(pool.uid, usdt(30));
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await world.until(pool.poolId, 'processing_invoices');
  await rounds(2);
  // The log of the exchange does not know what never arrived there.
  const { evidence, valuation } = await progressOf(pool);
  expect(valuation?.reasons).toEqual(['cross_check_off']);
  const approval = { action: 'approve', evidence_id: evidence?.id };
  expect((await world.act(pool.poolId, approval, world.other)).status).toBe(200);
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  const [cycle] = await world.cyclesOf(pool.poolId, 2);
  // 30 earned, less the fee of the withdrawal and the 10 that were lost.
  expect(BigInt(cycle?.result ?? 0)).toBe(usdt(20) - usdt(3) / 10n);
  expect(await world.differing()).toBe(0);
});

test('a record that Bybit lists an hour late is waited for', async () => {
  const pool = await addStopping('records_late', HOUR_MS);
  expect((await progressOf(pool)).waits_because).toBe('deposit_not_credited');
  world.venue.advance(HOUR_MS);
  await expectTrading(pool);
});

test('a key that is revoked in the middle of a cycle makes it wait; with a new one it goes on', async () => {
  lastAccount += 1;
  const pool = await world.addTradingPool({ account: lastAccount, amounts: [1_000] });
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  await world.until(pool.poolId, 'awaiting_bybit_withdrawal');
  const key = world.venue.pools.get(pool.uid).apiKey;
  world.change(pool.uid, (account) => {
    account.apiKey = 'revoked';
  });
  world.venue.pools.withdraw(pool.uid, pool.proxy, 'all');
  await rounds(3);
  expect(await progressOf(pool)).toMatchObject({ waits_because: 'invalid_credentials' });
  // What the chain shows is booked all the same; what it means is decided with the exchange's records.
  expect((await world.booksOf(pool.poolId)).pool_unexplained).toBe(usdt(1_000) - usdt(3) / 10n);
  world.change(pool.uid, (account) => {
    account.apiKey = key;
  });
  await world.until(pool.poolId, 'harvesting');
  await world.untilQuiet(pool.poolId);
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: usdt(1_000) - usdt(3) / 10n });
});

test('positions opened while a harvest starts call it off, and an operator reports that trading goes on', async () => {
  lastAccount += 1;
  const pool = await world.addTradingPool({ account: lastAccount, amounts: [1_000] });
  await world.owner('UPDATE pooled_account SET has_bot = false WHERE id = $1', [pool.poolId]);
  expect((await world.act(pool.poolId, { action: 'start' })).status).toBe(200);
  expect((await world.act(pool.poolId, { action: 'confirm_paused' })).status).toBe(200);
  world.change(pool.uid, (account) => {
    account.positions.push({
      category: 'linear',
      settleCoin: 'USDT',
      symbol: 'BTCUSDT',
      side: 'Buy',
      size: '0.001',
      price: '60000',
      openedAt: world.venue.now(),
    });
  });
  await world.until(pool.poolId, 'stopped');
  expect(await cycleOf(pool)).toMatchObject({ cycle_number: 2, reason: 'positions_appeared' });
  expect(await progressOf(pool)).toMatchObject({ awaited: 'operator' });
  expect((await world.act(pool.poolId, { action: 'start' })).body.error).toBe('open_positions_exist');
  expect((await world.act(pool.poolId, { action: 'confirm_resumed' })).status).toBe(200);
  expect(await progressOf(pool)).toMatchObject({ awaited: null });
  expect((await world.act(pool.poolId, { action: 'confirm_resumed' })).body.error).toBe('invalid_status');
  await rounds(2);
  expect((await cycleOf(pool)).reason).toBe('positions_appeared');
  expect(await world.booksOf(pool.poolId)).toEqual({ pool_exchange: usdt(1_000) });
});

test('a key of another account: nothing is funded until the key is of the account that was approved', async () => {
  const pool = await addFilled();
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  const { credentials } = poolAccount(10 + lastAccount + 1);
  const keysOf = (of: { apiKey: string; secretKey: string }) =>
    sealPoolKey({ keyring: KEYRING, box: BOX }, pool.poolId, of);
  const put = async (of: { apiKey: string; secretKey: string }) => {
    for (const { field, ciphertext } of await keysOf(of))
      await world.owner('UPDATE pool_key SET ciphertext = $3 WHERE pooled_account_id = $1 AND field = $2', [
        pool.poolId,
        field,
        ciphertext,
      ]);
  };
  await put(credentials);
  await rounds(6);
  expect(await cycleOf(pool)).toMatchObject({ step: 'planning', reason: 'other_account' });
  expect(await world.chain.token.balanceOf(pool.proxy)).toBe(usdt(1_000));
  const planned = await world.owner(
    `SELECT FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id WHERE h.pooled_account_id = $1`,
    [pool.poolId],
  );
  expect(planned).toEqual([]);
  await put(poolAccount(10 + lastAccount).credentials);
  await expectTrading(pool);
});
