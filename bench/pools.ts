import fc from 'fast-check';
import { HISTORY_STEPS, poolHistory, runPoolHistory } from '../tests/support/pools/pool-history.ts';
import { printedSeed } from '../tests/support/printed-seed.ts';
import type { Report } from './support/report.ts';

const STEPS = 1_000_000;
/** Histories generated at once. */
const BATCH = 20;

/** A million random steps of pools, with every rule checked after each. Needs no database. */
export async function benchPools(_ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const seed = printedSeed('POOLS_SEED');
  const before = process.cpuUsage();
  const seen: Record<string, number> = {};
  for (let done = 0; done < STEPS; done += BATCH * HISTORY_STEPS)
    for (const steps of fc.sample(poolHistory, { seed: seed + done, numRuns: BATCH }))
      for (const [what, count] of Object.entries(runPoolHistory(steps)))
        seen[what] = (seen[what] ?? 0) + count;
  const { user, system } = process.cpuUsage(before);
  const cycles = `${seen.valued ?? 0} valuations, ${seen.pool_withdrawal_paid ?? 0} withdrawals`;
  const seconds = ((user + system) / 1_000_000).toFixed(1);
  report.row(
    'Random steps of pools',
    `${STEPS} in ${seconds} s of processor time (${cycles}, seed ${seed})`,
    'every rule holds',
  );
}
