import { randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createHostedWorld } from '../../../tests/support/identity/hosted-world.ts';
import { playWebhookStorm } from '../../../tests/support/identity/webhook-storm.ts';

// npm run chaos -- webhooks [--events=10000] [--seed=N]: events of the hosted identity service in any order, half of them
// twice, a tenth of them late, through the API and two workers. Afterwards the rights of every person are compared with
// what the service has. `npm test` has the same with 1,000.
const count = Number(process.env.CHAOS_EVENTS ?? 10_000);
const seed = Number(process.env.CHAOS_SEED ?? randomInt(1_000_000));

test('events of the identity service end as it has it', async () => {
  console.log(`${count} events, --seed=${seed}`);
  const world = await createHostedWorld();
  onTestFinished(() => world.close());
  const { statuses, differences, ended, sentMs, handledMs } = await playWebhookStorm(world, { count, seed });
  const [row] = await world.owner<{ handled: number; open: number }>(
    `SELECT count(*) FILTER (WHERE state = 'completed')::int AS handled,
       count(*) FILTER (WHERE state <> 'completed')::int AS open FROM pgboss.job WHERE name = 'clerk-sync'`,
  );
  console.log(
    `${statuses.length} webhooks sent in ${(sentMs / 1_000).toFixed(1)} s, handled after ${(handledMs / 1_000).toFixed(1)} s ` +
      `with ${world.clerk.calls()} calls of the Backend API; ${row?.handled} reads, ${row?.open} open, ` +
      `${ended} sessions ended, ${differences.length} differences`,
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(differences).toEqual([]);
  expect(row?.open).toBe(0);
});
