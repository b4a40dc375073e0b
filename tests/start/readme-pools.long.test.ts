import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoWalk } from '../support/demo-walk.ts';

// What the README says of pools, played to its end: every pool is harvested, the one without a bot with the help of an
// operator, whenever the harvest starts, and again right after it.
let walk: Awaited<ReturnType<typeof startDemoWalk>>;
beforeAll(async () => {
  walk = await startDemoWalk({ DEMO_FIRST_ACTS: '1' });
});
afterAll(() => walk?.end());

/** The late owner withdraws five minutes after the message; a position is open for two minutes. */
const HARVEST_MS = 600_000;

interface Pool {
  id: string;
  has_bot: boolean;
  current_harvest_cycle: { status: string; step: string; reason: string | null };
}
const pools = async () =>
  (await walk.ask<{ pooled_accounts: Pool[] }>('GET', '/api/pooled-accounts')).pooled_accounts;

/** Everything is started or stopped; what waits for a report about the pool without a bot gets it from its page. */
async function playHarvest(action: 'start' | 'stop', goal: 'harvesting' | 'stopped'): Promise<void> {
  const isAccepted = async () =>
    (await walk.ask<{ success: boolean }>('POST', '/api/pooled-accounts/global/harvest', { action })).success;
  await walk.until(`${action} is accepted`, isAccepted, HARVEST_MS);
  const isOver = async () => {
    const all = await pools();
    for (const { id, has_bot, current_harvest_cycle: cycle } of all) {
      expect(cycle.status, `${cycle.step}: ${cycle.reason}`).not.toBe('failed');
      const report = { pausing: 'confirm_paused', resuming: 'confirm_resumed' }[cycle.step];
      if (!has_bot && report)
        await walk.ask('POST', `/api/pooled-accounts/${id}/harvest`, { action: report });
    }
    return all.every(({ current_harvest_cycle: { status } }) => status === goal);
  };
  await walk.until(`all pools are ${goal}`, isOver, HARVEST_MS);
}

test('harvests run to their ends, one right after the other and before anything was traded', async () => {
  expect((await pools()).filter(({ has_bot }) => !has_bot)).toHaveLength(1);
  await playHarvest('start', 'harvesting');
  await playHarvest('stop', 'stopped');
  await playHarvest('start', 'harvesting');
});
