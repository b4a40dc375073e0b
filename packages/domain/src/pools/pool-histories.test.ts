import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HISTORY_STEPS, poolHistory, runPoolHistory } from '../../../../tests/support/pools/pool-history.ts';
import { printedSeed } from '../../../../tests/support/printed-seed.ts';

const STEPS = 50_000;
const OFTEN = [
  'profit',
  'loss',
  'shortfall',
  'approve_valuation',
  'pool_bounced',
  'pool_lost',
  'pool_fee_moved',
  'pool_deposit_admitted',
  'pool_deposit_returned',
  'pool_withdrawal_paid',
  'pool_unexplained_resolved',
  'pool_return_undone',
  'close_gate',
  'resolve',
  'retry',
  'refused stop',
  'emptied',
];

test('50,000 random steps of pools keep every rule, and everybody can leave with everything', () => {
  const seen: Record<string, number> = {};
  const before = process.cpuUsage();
  fc.assert(
    fc.property(poolHistory, (steps) => {
      for (const [what, count] of Object.entries(runPoolHistory(steps)))
        seen[what] = (seen[what] ?? 0) + count;
    }),
    { numRuns: STEPS / HISTORY_STEPS, seed: printedSeed('PROPERTY_SEED') },
  );
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(20);
  // The histories had effect: everything happened often.
  const rare = OFTEN.filter((what) => (seen[what] ?? 0) < 10);
  expect(rare, JSON.stringify(seen)).toEqual([]);
}, 120_000);
