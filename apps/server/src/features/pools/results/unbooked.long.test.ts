import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFailingDatabase, DATABASE_LOST } from '../../../../../../tests/support/failing-database.ts';
import { POOL_KEYS } from '../../../../../../tests/support/test-keys.ts';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { units, usdt } from '../../../../../../tests/support/world/usdt.ts';
import { readDuePools } from '../reading/read-pools.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 2 });
});
afterAll(() => world?.close());

type Pool = Awaited<ReturnType<PoolWorld['addTradingPool']>>;

async function rounds(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await world.round();
}

/** The worker reads every pool, as it does every few minutes. */
const read = (db = world.db) =>
  readDuePools({
    db,
    poolKeys: POOL_KEYS,
    venue: world.venue.reads,
    now: world.venue.now,
    everyMs: 1,
  });

/** The unbooked result of a pool, or why there is none; and the sum of what is shown in both places. */
async function shown({ poolId }: Pool): Promise<[result: string | null, held: number]> {
  const { body } = await world.ask('GET /api/pooled-accounts/{id}/stats', { params: { id: poolId } });
  const { unbooked_result: result, unbooked_gap: gap } = body.data;
  expect(result === null).toBe(gap !== null);
  const { proxy_balance, bybit_balance } = await world.pool(poolId);
  return [result ?? gap, Number(proxy_balance) + Number(bybit_balance)];
}

const totals = async () => {
  const { body } = await world.ask('GET /api/pooled-accounts/global/harvest/status', {});
  return Number(body.data.total_proxy_balance) + Number(body.data.total_bybit_balance);
};

test('wherever the money is, the unbooked result stays the same until it is booked, and no sum is shown twice', async () => {
  const pool = await world.addTradingPool({ account: 1, amounts: [10_000] });
  const { poolId, uid, proxy } = pool;
  const before = (await totals()) - 10_000;
  // The last read is one of before the stop: the pool is no loss.
  expect(await shown(pool)).toEqual(['not_read', 10_000]);
  world.venue.advance(60_000);
  await read();
  expect(await shown(pool)).toEqual(['0', 10_000]);
  world.earn(uid, units('1969.9'));
  world.venue.advance(60_000);
  await read();
  expect(await shown(pool)).toEqual(['1969.9', 10_000]);
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  await rounds(1);
  expect(await shown(pool)).toEqual(['1969.9', 10_000]);

  // Withdrawn and on its way: neither at the exchange nor at the proxy wallet.
  world.venue.pools.withdraw(uid, proxy, usdt(4_000));
  world.venue.faults.set({ kind: 'withdrawal_pending', account: uid, times: 1 });
  world.venue.pools.withdraw(uid, proxy, usdt(2_000));
  for (let nth = 0; nth < 3; nth += 1) {
    await rounds(1);
    expect(await shown(pool)).toEqual(['1969.3', 10_000]);
    expect(await totals()).toBeCloseTo(10_000 + before, 6);
  }
  expect((await world.booksOf(poolId)).pool_returned).toBe(usdt(4_000));
  await read();
  expect(await shown(pool)).toEqual(['1969.3', 10_000]);

  // To an address that is not the pool's it is lost as far as anybody knows.
  world.venue.pools.withdraw(uid, `0x${'e1'.repeat(20)}`, usdt(100));
  await rounds(1);
  expect((await shown(pool))[0]).toBe('1869');

  world.venue.pools.release(uid);
  world.venue.pools.withdraw(uid, proxy, 'all');
  await rounds(3);
  // 100 are missing: only a person can say what became of them.
  expect((await world.pool(poolId)).current_harvest_cycle.reason).toBe('returns_missing');
  expect((await shown(pool))[0]).toBe('1868.7');
});

test('while the result is decided it is what would be booked; afterwards there is none', async () => {
  const pool = await world.addTradingPool({ account: 2, amounts: [1_000] });
  const { poolId, uid, proxy } = pool;
  world.earn(uid, -usdt(400));
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal');
  world.venue.pools.withdraw(uid, proxy, 'all');
  await world.until(poolId, 'processing_invoices');
  await rounds(2);
  const progress = await world.ask('GET /api/pooled-accounts/{id}/harvest/progress', {
    params: { id: poolId },
  });
  const { valuation, evidence } = progress.body.data;
  expect(valuation?.result).toBe('-400.3');
  expect((await shown(pool))[0]).toBe('-400.3');
  // One read, wherever it is shown.
  expect((await world.pool(poolId)).bybit_read).toMatchObject({ read_at: evidence?.read_at });
  const approval = { action: 'approve', evidence_id: evidence?.id };
  expect((await world.act(poolId, approval, world.other)).status).toBe(200);
  await world.until(poolId, 'harvesting');
  expect(await shown(pool)).toEqual(['booked', 599.7]);
  await world.untilQuiet(poolId);
  expect((await world.act(poolId, { action: 'stop' })).status).toBe(200);
  await world.until(poolId, 'stopping_harvesting/crediting');
  expect((await shown(pool))[0]).toBe('moving');
  await world.until(poolId, 'stopped');
  expect(await shown(pool)).toEqual(['not_read', 599.7]);

  // Staff read the same time of the result.
  const staff = await world.signIn('staff');
  const results = async (as: string) =>
    (await world.ask('GET /api/pooled-accounts/{id}/results', { params: { id: poolId } }, {}, as)).body.data;
  const [own] = await results(world.token);
  expect(own?.valued_at).toBeTruthy();
  const seen = await results(staff);
  expect(seen?.[0]?.valued_at).toBe(own?.valued_at);
});

test('an outage of the database is no problem of an exchange', async () => {
  world.venue.advance(1_000);
  await read();
  world.venue.advance(1_000);
  // Pools of the demo world have keys that do not open: that is written before any exchange has answered.
  const problems = () => world.owner('SELECT problem FROM pool_exchange_read WHERE problem IS NOT NULL');
  const before = await problems();
  const db = createFailingDatabase(world.db, { writes: [...before.map(() => null), DATABASE_LOST] });
  await expect(read(db)).rejects.toBe(DATABASE_LOST);
  expect(await problems()).toEqual(before);
});
