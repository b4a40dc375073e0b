import type { HarvestStatus } from '@copydesk/domain';

const MOVING_MS = 15_000;
const HARVESTING_MS = 30_000;
const QUIET_MS = 2 * 60_000;

interface Polled {
  current_harvest_cycle: { status: HarvestStatus };
}

/** How soon figures of pools are read again (super-admin spec, section 9). */
export function pollEveryMs(pools: readonly Polled[]): number {
  const statuses = new Set(pools.map(({ current_harvest_cycle: { status } }) => status));
  if (statuses.has('starting_harvesting') || statuses.has('stopping_harvesting')) return MOVING_MS;
  return statuses.has('harvesting') ? HARVESTING_MS : QUIET_MS;
}
