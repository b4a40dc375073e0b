import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printedSeed } from '../../../../../../tests/support/printed-seed.ts';
import { startWorkerProcess } from '../../../../../../tests/support/worker-process.ts';
import { ACCOUNT_KEY } from '../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import type { SmallTrader } from '../../../../../../tests/support/world/traders.ts';
import { TEST_SEED } from '../../../../../../tests/support/world/transfer-engine.ts';
import { beginInvoicing } from './invoicing.jobs.ts';

/** Starting a worker takes a second or two. */
const MOST_KILLS = 6;

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

/** A run whose worker died is up for another one at once, instead of after its lease. */
const forgetLeases = () => world.owner('UPDATE invoicing_run SET leased_until = NULL');

test('workers that are killed at random moments of a long run leave every position invoiced once', {
  timeout: 600_000,
}, async () => {
  const traders: SmallTrader[] = [];
  while (traders.length < 300) {
    const ten = await Promise.all(Array.from({ length: 10 }, () => world.addTrader()));
    await Promise.all(ten.map((trader) => world.addPositions(trader, '2', '4')));
    traders.push(...ten);
  }
  await beginInvoicing(world.db);
  const delay = randomDelays(printedSeed('KILL_SEED'));
  let kills = 0;
  while ((await open()) > 0) {
    if (kills === MOST_KILLS) break;
    const worker = await startWorker();
    await Promise.race([once(worker, 'exit'), untilBusy(worker)]);
    await sleep(delay());
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    expect(worker.signalCode, 'a worker that ended by itself').toBe('SIGKILL');
    kills += 1;
    await forgetLeases();
  }
  await world.invoice();
  expect(kills).toBeGreaterThan(1);
  const [row] = await world.owner<Record<string, number>>(
    `SELECT count(*)::int AS invoices, count(DISTINCT i.trader_id)::int AS traders,
       count(*) FILTER (WHERE i.amount_units = 3e18)::int AS right_amount,
       (SELECT count(*)::int FROM message m WHERE m.kind = 'invoice_created' AND m.trader_id = ANY ($1)) AS told
     FROM invoice i WHERE i.trader_id = ANY ($1)`,
    [traders.map(({ id }) => id)],
  );
  expect(row).toEqual({ invoices: 300, traders: 300, right_amount: 300, told: 300 });
  expect(await findUnsound(world)).toEqual({});
  console.log(`${kills} workers killed`);
});

const open = async () =>
  (
    await world.owner<{ n: number }>(`SELECT count(*)::int AS n FROM invoicing_run WHERE state = 'running'`)
  )[0]?.n ?? 0;

/** Until a worker has claimed the run: its batches begin now. */
async function untilBusy(worker: ChildProcess): Promise<void> {
  for (let i = 0; i < 300 && worker.exitCode === null; i++) {
    const rows = await world.owner('SELECT FROM invoicing_run WHERE leased_until IS NOT NULL');
    if (rows.length > 0 || (await open()) === 0) return;
    await sleep(10);
  }
}

const startWorker = () =>
  startWorkerProcess(world.ownerUrl, {
    DEPOSIT_ACCOUNT_KEY: ACCOUNT_KEY,
    // A worker with the seed confirms the key.
    WALLET_SEED: TEST_SEED,
    // Nothing answers there: an absent chain keeps no run from ending.
    CHAIN_RPC_URLS: 'http://127.0.0.1:9',
    CHAIN_ID: '56',
    TOKEN_ADDRESS: `0x${'1'.repeat(40)}`,
    PAYOUT_MAX_PER_TRANSACTION: '100000',
    PAYOUT_MAX_PER_DAY: '1000000',
    APPROVAL_ABOVE_USDT: '100000',
    READING_EVERY_MS: '86400000',
  });

/** Up to 300 ms, the same ones for the same seed. */
function randomDelays(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * 300;
  };
}
