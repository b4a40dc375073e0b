import { HARVEST_STATUSES, type HarvestStatus } from '../catalogue.ts';

export type GlobalHarvestStatus = 'no_pools' | 'mixed' | 'mixed_transitioning' | HarvestStatus;

/** Pools in each status. */
export type StatusCounts = Record<HarvestStatus, number>;

export function countStatuses(statuses: readonly HarvestStatus[]): StatusCounts {
  const counts = Object.fromEntries(HARVEST_STATUSES.map((status) => [status, 0])) as StatusCounts;
  for (const status of statuses) counts[status] += 1;
  return counts;
}

/**
 * The common status of all active pools (super-admin spec, section 4). Different ones are mixed, and transitioning while
 * any pool starts or stops.
 */
export function globalStatusOf(counts: StatusCounts): GlobalHarvestStatus {
  const present = HARVEST_STATUSES.filter((status) => counts[status] > 0);
  const [first, ...others] = present;
  if (!first) return 'no_pools';
  if (others.length === 0) return first;
  return counts.starting_harvesting + counts.stopping_harvesting > 0 ? 'mixed_transitioning' : 'mixed';
}
