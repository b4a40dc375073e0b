import { HARVEST_STATUSES, type HarvestStatus } from '../../catalogue.ts';

export type GlobalHarvestStatus = HarvestStatus | 'no_pools' | 'mixed' | 'mixed_transitioning';
export type GlobalAction = 'start' | 'stop';

export interface GlobalHarvest {
  status: GlobalHarvestStatus;
  /** Allowed actions (super-admin spec, section 4). */
  actions: GlobalAction[];
  counts: Record<HarvestStatus, number>;
}

const TRANSITIONING: readonly HarvestStatus[] = ['starting_harvesting', 'stopping_harvesting'];

/** The state of all active pools together. @param statuses one for each active pool */
export function globalHarvestOf(statuses: readonly HarvestStatus[]): GlobalHarvest {
  const counts = Object.fromEntries(HARVEST_STATUSES.map((status) => [status, 0])) as GlobalHarvest['counts'];
  for (const status of statuses) counts[status] += 1;
  const status = statusOf(statuses);
  const isTransitioning = statuses.some((one) => TRANSITIONING.includes(one));
  const actions: GlobalAction[] = [];
  if (!isTransitioning && counts.stopped > 0) actions.push('start');
  if (!isTransitioning && counts.harvesting > 0) actions.push('stop');
  return { status, actions, counts };
}

function statusOf(statuses: readonly HarvestStatus[]): GlobalHarvestStatus {
  const [first] = statuses;
  if (first === undefined) return 'no_pools';
  if (statuses.every((status) => status === first)) return first;
  return statuses.some((status) => TRANSITIONING.includes(status)) ? 'mixed_transitioning' : 'mixed';
}

/** Texts of the global status (super-admin spec, section 4); those of one status are in `HARVEST_LABELS`. */
export const GLOBAL_TEXTS = {
  starting_harvesting: 'Processing...',
  stopping_harvesting: 'Processing...',
  mixed_transitioning: 'Processing...',
  awaiting_bybit_withdrawal: 'Awaiting action...',
  processing_invoices: 'Awaiting action...',
  mixed: 'Mixed States',
} as const satisfies Partial<Record<GlobalHarvestStatus, string>>;
