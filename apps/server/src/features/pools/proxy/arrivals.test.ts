import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createPoolWorld, type PoolWorld } from '../../../../../../tests/support/world/pool-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { matchArrivals } from './match-arrivals.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PoolWorld;
beforeAll(async () => {
  world = await createPoolWorld({ accounts: 4 });
});
afterAll(() => world?.close());
beforeEach(() => world.rest());

type Pool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

/** Tokens from elsewhere at the proxy wallet. @returns the hash of their transaction */
async function payToProxy({ proxy }: Pool, units: bigint): Promise<string> {
  const hash = await world.chain.pay(proxy, units);
  await world.chain.finalize();
  await world.readChain();
  return hash;
}

const arrivalsOf = ({ poolId }: Pool) =>
  world.owner<{ state: string; units: string }>(
    `SELECT state, amount_units::text AS units FROM pool_arrival
     WHERE pooled_account_id = $1 ORDER BY block_number, log_index`,
    [poolId],
  );
const match = ({ poolId }: Pool) =>
  world.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => matchArrivals(tx, poolId));

/** The exchange lists a withdrawal with this transaction. */
const listWithdrawal = ({ poolId, proxy }: Pool, { hash, state }: { hash: string; state: string }) =>
  world.owner(
    `INSERT INTO pool_movement (pooled_account_id, kind, record_id, transaction_hash, amount_units, to_address, state,
       venue_status, happened_at) VALUES ($1, 'withdrawal', $2, $2, 1, $3, $4, 'test', now())`,
    [poolId, hash, proxy, state],
  );

const STATES = [
  ['stopped', 'trading'],
  ['starting_harvesting', 'pausing'],
  ['starting_harvesting', 'checking'],
  ['awaiting_bybit_withdrawal', 'withdrawing'],
  ['processing_invoices', 'valuing'],
  ['processing_invoices', 'opening'],
  ['harvesting', 'open'],
  ['harvesting', 'closing'],
  ['stopping_harvesting', 'planning'],
  ['stopping_harvesting', 'crediting'],
  ['stopping_harvesting', 'resuming'],
] as const;

test('what arrives is booked in every state of the cycle, and books and chain agree', async () => {
  const pool = await world.addOpenPool({ account: 1, members: 1 });
  let total = 0n;
  for (const [nth, [status, step]] of STATES.entries()) {
    await world.owner('UPDATE harvest_cycle SET status = $2, step = $3 WHERE pooled_account_id = $1', [
      pool.poolId,
      status,
      step,
    ]);
    const units = usdt(nth + 1);
    total += units;
    await payToProxy(pool, units);
    expect(await world.booksOf(pool.poolId)).toEqual({ pool_proxy: total, pool_unexplained: total });
  }
  expect((await arrivalsOf(pool)).map(({ state }) => state)).toEqual(STATES.map(() => 'unexplained'));
  expect(await world.differing()).toBe(0);
});

test('a withdrawal that the exchange lists later explains an arrival, once', async () => {
  const pool = await world.addTradingPool({ account: 2, amounts: [500] });
  const early = await payToProxy(pool, usdt(40));
  await payToProxy(pool, usdt(7));
  await match(pool);
  expect(await world.booksOf(pool.poolId)).toMatchObject({ pool_unexplained: usdt(47) });
  // One that came to nothing at the exchange explains nothing.
  await listWithdrawal(pool, { hash: early, state: 'ended' });
  await match(pool);
  expect((await arrivalsOf(pool)).map(({ state }) => state)).toEqual(['unexplained', 'unexplained']);
  await world.owner(`UPDATE pool_movement SET state = 'done' WHERE record_id = $1`, [early]);
  await Promise.all([match(pool), match(pool)]);
  expect(await world.booksOf(pool.poolId)).toMatchObject({
    pool_returned: usdt(40),
    pool_unexplained: usdt(7),
    pool_proxy: usdt(47),
  });
  expect((await arrivalsOf(pool)).map(({ state }) => state)).toEqual(['returned', 'unexplained']);
  // The page of the pool lists what needs a person first.
  const listed = await world.ask('GET /api/pooled-accounts/{id}/arrivals', {
    params: { id: pool.poolId },
    query: {},
  });
  expect(listed.body).toMatchObject({
    data: [
      { state: 'unexplained', amount: '7', cycle_number: 2 },
      { state: 'returned', amount: '40', transaction_hash: early },
    ],
    meta: { total: 2 },
  });
  expect(await world.differing()).toBe(0);
});

test('a withdrawal that is listed after the valuation waits for the next cycle', async () => {
  const pool = await world.addTradingPool({ account: 3, amounts: [500] });
  const late = await payToProxy(pool, usdt(40));
  await listWithdrawal(pool, { hash: late, state: 'done' });
  const value = (units: string | null) =>
    world.owner(
      `UPDATE harvest_cycle SET result_units = $2, valued_returned_units = $2, valued_exchange_units = $2,
         valued_lost_units = $2, valued_unexplained_units = $2, valued_uncovered_units = $2
       WHERE pooled_account_id = $1 AND ended_at IS NULL`,
      [pool.poolId, units],
    );
  await value('0');
  await match(pool);
  expect(await world.booksOf(pool.poolId)).toMatchObject({ pool_unexplained: usdt(40) });
  await value(null);
  await match(pool);
  expect(await world.booksOf(pool.poolId)).toMatchObject({ pool_returned: usdt(40) });
});

test('funding that the exchange sends back is a bounce, and the cycle fails', async () => {
  const pool = await world.addOpenPool({ account: 4, members: 1 });
  await world.chain.pay(pool.members[0]?.address as string, usdt(500));
  await world.chain.finalize();
  for (let nth = 0; nth < 20 && (await world.pool(pool.poolId)).total_virtual_balance !== '500'; nth += 1)
    await world.round();
  expect((await world.act(pool.poolId, { action: 'stop' })).status).toBe(200);
  await world.until(pool.poolId, 'stopping_harvesting/crediting');
  const [funding] = await world.owner<{ units: string }>(
    `SELECT f.units::text AS units FROM harvest_funding f JOIN harvest_cycle h ON h.id = f.cycle_id
     WHERE h.pooled_account_id = $1`,
    [pool.poolId],
  );
  const units = BigInt(funding?.units ?? 0);
  await payToProxy(pool, units - 1n);
  await payToProxy(pool, units);
  // The second one of the same amount cannot be the same money.
  await payToProxy(pool, units);
  expect((await arrivalsOf(pool)).map(({ state }) => state)).toEqual([
    'unexplained',
    'bounced',
    'unexplained',
  ]);
  const found = await world.booksOf(pool.poolId);
  expect(found.pool_transit).toBe(undefined);
  expect(found.pool_unexplained).toBe(2n * units - 1n);
  await world.until(pool.poolId, 'failed');
  expect(await world.differing()).toBe(0);
});
