import type { HarvestStatus, HarvestStep } from '@copydesk/domain';
import type { Tone } from '../../ui/feedback/badge.tsx';
import type { GlobalHarvest, HarvestCycle } from './pools-queries.ts';

/** The labels of the super-admin spec, section 4. */
const LABELS: Record<HarvestStatus, string> = {
  harvesting: 'Harvesting',
  stopped: 'Trading',
  starting_harvesting: 'Starting...',
  stopping_harvesting: 'Stopping...',
  awaiting_bybit_withdrawal: 'Manual Withdrawal Required',
  processing_invoices: 'Processing Invoices',
  failed: 'Failed',
};
const TONES: Record<HarvestStatus, Tone> = {
  harvesting: 'positive',
  stopped: 'accent',
  starting_harvesting: 'neutral',
  stopping_harvesting: 'neutral',
  awaiting_bybit_withdrawal: 'caution',
  processing_invoices: 'caution',
  failed: 'negative',
};

const isKnown = (status: string): status is HarvestStatus => status in LABELS;
const isMixed = (status: string) => status === 'mixed' || status === 'mixed_transitioning';

/** The label of a pool's status or of all pools; a status that this console does not know is shown as it is. */
export function harvestLabel(status: string): string {
  if (isMixed(status)) return 'Mixed States';
  return isKnown(status) ? LABELS[status] : status || 'Unknown';
}

export const harvestTone = (status: string): Tone => (isKnown(status) ? TONES[status] : 'neutral');

/** Statuses that the spec flags "Action required". */
export const needsAction = (status: string) =>
  status === 'awaiting_bybit_withdrawal' || status === 'processing_invoices';

/** What stands in the place of the buttons while the pools are on the way; null where a person may act. */
export function progressWords(status: GlobalHarvest['status']): string | null {
  if (needsAction(status)) return 'Awaiting action...';
  return ['starting_harvesting', 'stopping_harvesting', 'mixed_transitioning'].includes(status)
    ? 'Processing...'
    : null;
}

/** What happens in a step, and who acts where it is not the system. */
const STEPS: Record<HarvestStep, string> = {
  trading: 'The pool trades on Bybit. Deposits and withdrawals are paused.',
  pausing: 'Trading is being paused: the bot or an operator confirms it.',
  checking: 'The system checks that no position and no order is open.',
  withdrawing: 'The community owner must withdraw the funds from Bybit.',
  valuing: 'The system values the pool.',
  opening: 'The system charges fees and opens the pool.',
  open: 'The pool is open for deposits and withdrawals. Trading is paused.',
  closing: 'The pool accepts no more transfers; those under way are completed.',
  planning: 'The system fixes the shares and plans the transfer to Bybit.',
  sending: 'The funds are on their way to Bybit.',
  crediting: 'The system waits until Bybit has credited the funds.',
  moving: 'The system moves the funds into the trading account.',
  resuming: 'Trading is being resumed: the bot or an operator confirms it.',
};
const STEP_NAMES: Record<HarvestStep, string> = {
  trading: 'Trading',
  pausing: 'Pausing trading',
  checking: 'Checking positions',
  withdrawing: 'Withdrawing from Bybit',
  valuing: 'Valuing the pool',
  opening: 'Opening the pool',
  open: 'Open',
  closing: 'Closing the gate',
  planning: 'Planning the transfer',
  sending: 'Sending to Bybit',
  crediting: 'Waiting for the credit',
  moving: 'Moving the funds',
  resuming: 'Resuming trading',
};

export const stepName = (step: HarvestStep) => STEP_NAMES[step];

/** The line beneath a status: why the pool failed or waits, else what happens now. */
export function cycleWords({
  status,
  step,
  reason,
}: Pick<HarvestCycle, 'status' | 'step' | 'reason'>): string {
  if (status === 'failed')
    return `${STEP_NAMES[step]} failed${reason ? `: ${reason}` : '.'} Manual intervention is required.`;
  if (step === 'valuing' && reason) return `Another super admin must approve the valuation: ${reason}`;
  return reason ?? STEPS[step];
}

/** Pools by status, in the order of the spec: `2 harvesting, 1 trading`. */
export function countsWords(counts: GlobalHarvest['counts']): string {
  const order: readonly HarvestStatus[] = [
    'harvesting',
    'stopped',
    'starting_harvesting',
    'stopping_harvesting',
    'awaiting_bybit_withdrawal',
    'processing_invoices',
    'failed',
  ];
  return order
    .filter((status) => (counts[status] ?? 0) > 0)
    .map((status) => `${counts[status]} ${LABELS[status].replace('...', '').toLowerCase()}`)
    .join(', ');
}
