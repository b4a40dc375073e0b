import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createPoolWorld } from '../../../tests/support/world/pool-world.ts';
import { booksOfPool, countPaid } from './books-of-pool.ts';
import { PoolDriver } from './drive-pool.ts';
import { failures, killWorkers, startWorker } from './kill-workers.ts';
import { POOL_STEPS } from './pool-steps.ts';

// npm run chaos -- pools --kills=300 [--seed=N] [--naive]: workers harvest pools between a real local chain,
// a simulated exchange and a trading bot, and are killed again and again. Afterwards a worker that is never
// killed plays the same cycles, and both must end in the same books. With --naive, withdrawals are paid in a
// common way, and the harness must see that members are paid twice.
const kills = Number(process.env.CHAOS_KILLS ?? 300);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));
const isNaive = process.env.CHAOS_NAIVE === '1';
const POOLS = 3;
/** Time passes this much faster than on the wall. */
const SPEED = 10;
const BLOCK_EVERY_MS = 150;
const RENEW_EVERY_MS = 20_000;

let drawn = 0;
/** In [0, 1), the same for the same seed. */
const random = () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;

/** Blocks at a steady pace until it is stopped. */
function mineSteadily(mine: () => Promise<unknown>) {
  let isMining = true;
  let isPaused = false;
  const mining = (async () => {
    while (isMining) {
      // A chain that is too busy to answer makes its next block later.
      if (!isPaused) await mine().catch(() => {});
      await sleep(BLOCK_EVERY_MS);
    }
  })();
  return {
    /** Without blocks, transactions are stuck and are signed again. */
    pause(paused: boolean): void {
      isPaused = paused;
    },
    async stop(): Promise<void> {
      isMining = false;
      await mining;
    },
  };
}

const scripts = Array.from({ length: POOLS }, (_, script) => script);

test.skipIf(isNaive)('killed workers end in the books of one that is never killed', async () => {
  console.log(`${kills} kills of workers of ${POOLS} pools, --seed=${seed}`);
  const world = await createPoolWorld({ accounts: 2 * POOLS, speed: SPEED });
  onTestFinished(() => world.close());
  await world.chain.node.setAutomine(false);
  const mining = mineSteadily(() => world.chain.mine(1));
  const people = { one: world.token, other: world.other };
  const renewing = setInterval(async () => {
    people.one = await world.signIn('super');
    people.other = await world.signIn('super-2');
  }, RENEW_EVERY_MS);
  const open = async (first: number) => {
    const drivers = [];
    for (const script of scripts) {
      const pool = await world.addOpenPool({ account: first + script, members: 3 });
      // As the transition into this state leaves it.
      await world.owner('UPDATE harvest_cycle SET look_at = now() WHERE pooled_account_id = $1', [
        pool.poolId,
      ]);
      drivers.push(new PoolDriver(world, pool, { script, people }));
    }
    return drivers;
  };
  const play = async (driver: PoolDriver, goesOn: () => boolean) => {
    await driver.fill();
    while (goesOn()) await driver.play();
  };

  const killed = await open(1);
  const smooth = await open(1 + POOLS);
  let isKilling = true;
  const begun = performance.now();
  const played = Promise.all(killed.map((driver) => play(driver, () => isKilling)));
  const killing = await Promise.race([
    killWorkers(world, {
      kills,
      speed: SPEED,
      random,
      isNaive,
      prepare: (step) => mining.pause(step === 'engine replaced'),
    }),
    // A pool that is stuck ends the run at once.
    played.then(() => Promise.reject(new Error('the pools were played to an end while workers were killed'))),
  ]);
  mining.pause(false);
  const killedFor = (performance.now() - begun) / 1_000;
  isKilling = false;
  const last = startWorker(world, SPEED);
  await played;

  await Promise.all(
    smooth.map((driver, nth) => play(driver, () => driver.cycles < (killed[nth]?.cycles ?? 0))),
  );
  last.kill('SIGKILL');
  await once(last, 'exit');
  await mining.stop();
  clearInterval(renewing);

  const pools = [...killed, ...smooth].map(({ pool }) => pool);
  const paid = await countPaid(world, pools, 'reserved_units');
  const reached = POOL_STEPS.filter((step) => killing.atSteps[step]);
  const cycles = killed.map((driver) => driver.cycles);
  const [sum] = await world.owner<{ postings: string }>(
    'SELECT coalesce(sum(amount), 0)::text AS postings FROM posting',
  );
  const differing = await world.differing();
  console.log(
    [
      `${killing.kills} kills in ${killedFor.toFixed(0)} s, ${reached.length} of ${POOL_STEPS.length} named steps; not reached: ${POOL_STEPS.filter((step) => !reached.includes(step)).join(', ') || 'none'}`,
      `${cycles.join(', ')} whole cycles, ${paid.withdrawals} withdrawals: ${paid.lost} lost, ${paid.double} paid twice`,
      `turns that failed and were taken again: ${JSON.stringify([...failures])}`,
      `ledger: postings sum to ${sum?.postings}, ${differing} wallets differ from the chain`,
    ].join('\n'),
  );
  for (const [nth, { pool }] of killed.entries())
    expect(await booksOfPool(world, pool), `pool ${nth}`).toEqual(
      await booksOfPool(world, smooth[nth]?.pool as typeof pool),
    );
  expect(paid).toMatchObject({ lost: 0, double: 0 });
  expect(sum?.postings).toBe('0');
  expect(differing).toBe(0);
  expect(Math.min(...cycles)).toBeGreaterThan(0);
});

test.runIf(isNaive)('a common way to pay withdrawals pays some of them twice', async () => {
  console.log(`${kills} kills of a naive worker, --seed=${seed}`);
  const world = await createPoolWorld({ accounts: 1, speed: SPEED });
  onTestFinished(() => world.close());
  const pool = await world.addOpenPool({ account: 1, members: 3 });
  await world.chain.node.setAutomine(false);
  const mining = mineSteadily(() => world.chain.mine(1));
  for (let nth = 0; nth < 3 * kills; nth += 1) {
    const body = { member_id: pool.members[nth % 3]?.id as string, amount: String(nth + 1) };
    await world.ask('POST /api/pooled-accounts/{id}/withdrawals', { params: { id: pool.poolId }, body });
  }
  await killWorkers(world, { kills, speed: SPEED, random, isNaive });
  await mining.stop();
  const paid = await countPaid(world, [pool], 'amount_units');
  console.log(`${paid.double} withdrawals were paid twice`);
  expect(paid.double).toBeGreaterThan(0);
});
