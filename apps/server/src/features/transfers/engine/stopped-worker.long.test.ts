import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { childEnvironment } from '../../../../../../tests/support/worker-process.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../../../../tests/support/world/sound-payouts.ts';
import { TEST_SEED } from '../../../../../../tests/support/world/transfer-engine.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

const PAYER = fileURLToPath(new URL('../../../../../../bench/chaos/payer.ts', import.meta.url));
/** What the server cuts a silent transaction off with, in the place of the half minute that it waits for. */
const CUT_OFF = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'chaos-payer' AND state LIKE 'idle in transaction%'`;

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());

const stateOf = ({ pid }: ChildProcess) =>
  /State:\s+(\w)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];

test.each(['prepared', 'signed', 'committed', 'broadcast_one', 'receipt_seen', 'booked'])(
  'a worker stopped at "%s" that resumes after another took over pays no recipient again',
  async (step) => {
    const community = await world.addCommunity();
    await world.addPaid(community, 30);
    await world.distribute(community.id);
    const sleeper = fork(PAYER, {
      env: childEnvironment({
        DATABASE_URL: world.ownerUrl,
        DATABASE_DURABILITY: 'single',
        RPC_URL: world.chain.url,
        TOKEN_ADDRESS: world.chain.token.address,
        SEED: TEST_SEED,
        STOP_AT: step,
      }),
    });
    onTestFinished(() => void sleeper.kill('SIGKILL'));
    while (stateOf(sleeper) !== 'T') {
      await world.chain.finalize();
      await sleep(100);
    }
    await world.owner(CUT_OFF);
    await world.payOut();
    const paid = await world.payoutsOf(community.id);
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set(['distributed']));

    const before = await countAttempts();
    sleeper.kill('SIGCONT');
    for (let round = 0; round < 10; round++) {
      await world.chain.finalize();
      await sleep(100);
    }
    expect(sleeper.exitCode).toBeNull();
    expect(await countAttempts()).toBe(before);
    expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
  },
);

async function countAttempts(): Promise<number> {
  const [row] = await world.owner<{ count: number }>('SELECT count(*)::int AS count FROM transfer_attempt');
  return row?.count ?? 0;
}
