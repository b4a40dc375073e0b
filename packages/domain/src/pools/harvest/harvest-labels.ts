import type { HarvestStatus } from '../../catalogue.ts';

interface HarvestLabel {
  label: string;
  /** Whether it is flagged "Action required". */
  isActionRequired: boolean;
}

/** Labels (super-admin spec, section 4), to the letter. */
export const HARVEST_LABELS: Readonly<Record<HarvestStatus, HarvestLabel>> = {
  harvesting: { label: 'Harvesting', isActionRequired: false },
  stopped: { label: 'Trading', isActionRequired: false },
  starting_harvesting: { label: 'Starting...', isActionRequired: false },
  stopping_harvesting: { label: 'Stopping...', isActionRequired: false },
  awaiting_bybit_withdrawal: { label: 'Manual Withdrawal Required', isActionRequired: true },
  processing_invoices: { label: 'Processing Invoices', isActionRequired: true },
  failed: { label: 'Failed', isActionRequired: false },
};

/** The label of a status, known or not. */
export function harvestLabelOf(status: string | null): string {
  if (!status) return 'Unknown';
  return Object.hasOwn(HARVEST_LABELS, status) ? HARVEST_LABELS[status as HarvestStatus].label : status;
}

/** Effects that the confirmation dialogs list (super-admin spec, section 4). */
export const GLOBAL_EFFECTS = {
  start: [
    'check for uninvoiced and open exchange positions',
    'notify owners to withdraw manually',
    'auto-process pending invoices',
    'open all pools for deposits/withdrawals',
    'pause automated trading',
  ],
  stop: [
    'move proxy wallet funds to exchange accounts',
    'pause deposits/withdrawals',
    'resume automated trading',
    'keep virtual balances',
  ],
} as const;

const POLL_MS = { transitioning: 15_000, harvesting: 30_000, otherwise: 120_000 } as const;

/** How often the console asks for pending deposits (super-admin spec, section 9). */
export function pendingPollMs(statuses: readonly HarvestStatus[]): number {
  if (statuses.some((status) => status === 'starting_harvesting' || status === 'stopping_harvesting'))
    return POLL_MS.transitioning;
  return statuses.includes('harvesting') ? POLL_MS.harvesting : POLL_MS.otherwise;
}
