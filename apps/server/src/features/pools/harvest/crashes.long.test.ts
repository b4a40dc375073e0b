import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { HARVEST_POINTS, type HarvestWorker } from './harvest-worker.ts';

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 2 });
});
afterAll(() => world?.close());

const SAGA_STEPS = ['decided', 'saved', 'recorded', 'performed'] as const;

/** Fails once at every named point, and at every part of a transition, for each visit up to the third. */
function failingEverywhere(): Pick<HarvestWorker, 'atPoint' | 'atStep'> & { failed: Map<string, number> } {
  const failed = new Map<string, number>();
  const visit = (name: string) => {
    const times = failed.get(name) ?? 0;
    if (times >= 3) return;
    failed.set(name, times + 1);
    throw new Error(`a crash at ${name}`);
  };
  return { failed, atPoint: visit, atStep: visit };
}

/** A whole cycle with a profit of 100 and the withdrawal of everything of one of two members. */
async function runCycle(account: number, changes: Partial<HarvestWorker>) {
  const pool = await world.addTradingPool({ account, amounts: [600, 400] });
  const { poolId, uid, proxy, members } = pool;
  world.earn(uid, usdt(100));
  expect((await world.act(poolId, { action: 'start' })).status).toBe(200);
  await world.until(poolId, 'awaiting_bybit_withdrawal', changes);
  world.venue.pools.withdraw(uid, proxy, 'all');
  await world.until(poolId, 'harvesting', changes);
  const body = { member_id: members[0]?.id as string, amount: 'all' };
  await world.ask('POST /api/pooled-accounts/{id}/withdrawals', { params: { id: poolId }, body });
  await world.untilQuiet(poolId);
  expect((await world.act(poolId, { action: 'stop' })).status).toBe(200);
  await world.until(poolId, 'stopped', changes);
  const [cycle] = await world.cyclesOf(poolId, 2);
  const parts = await world.allocationsOf(cycle?.id as string);
  const funding = await world.owner('SELECT attempt, state FROM harvest_funding WHERE cycle_id = $1', [
    cycle?.id,
  ]);
  const shares = parts.map(({ allocated, fee, after }) => ({ allocated, fee, after }));
  return {
    books: await world.booksOf(poolId),
    shares: shares.sort((a, b) => Number(b.after - a.after)),
    atExchange: world.venue.pools.get(uid).unified,
    paid: await world.chain.token.balanceOf(members[0]?.payoutAddress as `0x${string}`),
    fees: await world.chain.token.balanceOf(await world.walletOf(pool.community.id)),
    moves: world.venue.pools.get(uid).transfers.length,
    funding,
  };
}

test('a cycle that fails at every named point ends in the books of one that never fails', {
  timeout: 600_000,
}, async () => {
  const smooth = await runCycle(1, {});
  const { failed, ...changes } = failingEverywhere();
  // A process that is gone: its lease, by the database's clock, is over when the next round begins.
  const rough = await runCycle(2, { ...changes, leaseMs: 0 });
  expect(rough).toEqual(smooth);
  expect([...failed.keys()].sort()).toEqual([...HARVEST_POINTS, ...SAGA_STEPS].sort());
  expect(await world.differing()).toBe(0);
});
