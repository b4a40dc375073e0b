import { randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { playBillingStorm } from '../../../tests/support/world/billing-storm.ts';
import { createBillingWorld } from '../../../tests/support/world/billing-world.ts';

// npm run chaos -- webhooks [--events=10000] [--seed=N]: events of the payment service in any order, a third of them
// twice, a fifth of them days late, beside three workers. Afterwards every subscription is compared with what the service
// has. `npm test` has the same with 1,000.
const count = Number(process.env.CHAOS_EVENTS ?? 10_000);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));

test('events of the payment service end as it has it', async () => {
  console.log(`${count} events of the payment service, --seed=${seed}`);
  const world = await createBillingWorld();
  onTestFinished(() => world.close());
  const { statuses, late, mended, stored, pairs, tookMs } = await playBillingStorm(world, { count, seed });
  const unhandled = await world.owner(
    "SELECT FROM pgboss.job WHERE name = 'stripe-sync' AND state <> 'completed'",
  );
  const corrected = await world.compare();
  console.log(
    `${statuses.length} webhooks handled after ${(tookMs / 1_000).toFixed(1)} s, ${late} of them late, ` +
      `${unhandled.length} open, ${corrected} corrected by the last comparison`,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(stored).toEqual(mended);
  for (const pair of pairs) expect(pair.stored).toEqual(pair.said);
  expect([unhandled, corrected]).toEqual([[], 0]);
});
