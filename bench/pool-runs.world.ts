import { expect, onTestFinished, test } from 'vitest';
import { createPoolWorld } from '../tests/support/world/pool-world.ts';

// npm run bench -- pool-runs: a global start of two hundred pools between a simulated exchange over sockets, a trading
// bot and a local chain, up to the question to the owners. Time passes fast enough for the exchange's limits not to
// matter: the figure is our own work, and that of the exchange and the database beside it.
const POOLS = 200;
const SPEED = 2;

test('a global start of many pools', async () => {
  const world = await createPoolWorld({ accounts: POOLS, speed: SPEED });
  onTestFinished(() => world.close());
  await world.owner('UPDATE pooled_account SET is_active = false');
  const pools: string[] = [];
  for (let account = 1; account <= POOLS; account += 1) {
    const pool = await world.addOpenPool({ account, members: 0 });
    // More than dust: the owner has to withdraw it.
    world.earn(pool.uid, 500n * 10n ** 18n);
    pools.push(pool.poolId);
  }
  await world.owner(
    `UPDATE harvest_cycle SET status = 'stopped', step = 'trading', look_at = NULL WHERE pooled_account_id = ANY ($1)`,
    [pools],
  );
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const work = () => {
    const { user, system } = process.cpuUsage(cpu);
    return ((user + system) / 1_000_000).toFixed(1);
  };
  const since = () => ((performance.now() - begun) / 1_000).toFixed(1);
  const answer = await world.ask('POST /api/pooled-accounts/global/harvest', { body: { action: 'start' } });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  console.log(`${POOLS} pools admitted and started: ${since()} s, ${work()} s of processor time`);
  const waiting = async () =>
    (
      await world.owner<{ count: number }>(
        `SELECT count(*)::int AS count FROM harvest_cycle
         WHERE pooled_account_id = ANY ($1) AND ended_at IS NULL AND status <> 'awaiting_bybit_withdrawal'`,
        [pools],
      )
    )[0]?.count;
  let rounds = 0;
  while ((await waiting()) !== 0 && rounds < 30) {
    await world.round();
    rounds += 1;
  }
  expect(await waiting()).toBe(0);
  console.log(
    `${POOLS} pools paused and checked, their owners asked: ${since()} s in all, ${work()} s of processor time, ${rounds} rounds (wanted: 30 s)`,
  );
});
