import type { HarvestStatus } from '@copydesk/domain/catalogue';
import { GLOBAL_TEXTS, HARVEST_LABELS, type HarvestStep, harvestLabelOf } from '@copydesk/domain/pools';
import type { Tone } from '../../ui/feedback/badge.tsx';
import { isWaitCode, waitWords } from './harvest/act-texts.ts';
import type { GlobalHarvest, HarvestCycle } from './pools-queries.ts';
import { reasonWords } from './reason-texts.ts';

const TONES: Record<HarvestStatus, Tone> = {
  harvesting: 'positive',
  stopped: 'positive',
  starting_harvesting: 'neutral',
  stopping_harvesting: 'neutral',
  awaiting_bybit_withdrawal: 'caution',
  processing_invoices: 'caution',
  failed: 'negative',
};

const isKnown = (status: string): status is HarvestStatus => Object.hasOwn(HARVEST_LABELS, status);
const isMixed = (status: string) => status === 'mixed' || status === 'mixed_transitioning';

/** The label of a pool's status or of all pools; a status that this console does not know is shown as it is. */
export const harvestLabel = (status: string) =>
  isMixed(status) ? GLOBAL_TEXTS.mixed : harvestLabelOf(status);

export const harvestTone = (status: string): Tone => (isKnown(status) ? TONES[status] : 'neutral');

/** Whether the spec flags the status "Action required". */
export const needsAction = (status: string) => isKnown(status) && HARVEST_LABELS[status].isActionRequired;

/** The text in the place of the buttons while the pools are on the way; null where a person may act. */
export function progressWords(status: GlobalHarvest['status']): string | null {
  if (status === 'mixed' || !Object.hasOwn(GLOBAL_TEXTS, status)) return null;
  return GLOBAL_TEXTS[status as keyof typeof GLOBAL_TEXTS];
}

/** `failed`: what a failure of the step is called, where it is not the name with "failed". */
const STEPS: Record<HarvestStep, { name: string; text: string; failed?: string }> = {
  trading: {
    name: 'Trading',
    text: 'The pool trades on Bybit. Deposits and withdrawals are paused.',
  },
  pausing: {
    name: 'Pausing trading',
    text: 'Trading is being paused: the bot or an operator confirms it.',
  },
  checking: {
    name: 'Checking positions',
    text: 'The system checks that no position and no order is open.',
  },
  withdrawing: {
    name: 'Withdrawing from Bybit',
    text: 'The community owner must withdraw the funds from Bybit.',
  },
  valuing: { name: 'Valuing the pool', text: 'The system values the pool.' },
  opening: { name: 'Opening the pool', text: 'The system charges fees and opens the pool.' },
  open: { name: 'Open', text: 'The pool is open for deposits and withdrawals. Trading is paused.' },
  closing: {
    name: 'Closing the gate',
    text: 'The pool accepts no more transfers; those under way are completed.',
  },
  planning: {
    name: 'Planning the transfer',
    text: 'The system fixes the shares and plans the transfer to Bybit.',
  },
  sending: { name: 'Sending to Bybit', text: 'The funds are on their way to Bybit.' },
  crediting: {
    name: 'Waiting for the credit',
    text: 'The system waits until Bybit has credited the funds.',
    failed: 'Bybit did not credit the funds',
  },
  moving: { name: 'Moving the funds', text: 'The system moves the funds into the trading account.' },
  resuming: {
    name: 'Resuming trading',
    text: 'Trading is being resumed: the bot or an operator confirms it.',
  },
};

export const stepName = (step: HarvestStep) => STEPS[step].name;

/** The line beneath a status: why the pool failed or waits, else what happens now and who acts. */
export function cycleWords({
  status,
  step,
  reason,
}: Pick<HarvestCycle, 'status' | 'step' | 'reason'>): string {
  const why = reason && (isWaitCode(reason) ? waitWords(reason) : reasonWords(reason));
  if (status === 'failed') {
    const { name, failed: words = `${name} failed` } = STEPS[step];
    const failed = why ? `${words}: ${why}` : `${words}.`;
    return `${failed} Manual intervention is required.`;
  }
  return why ? `${STEPS[step].text} ${why}` : STEPS[step].text;
}

/** Pools by status: `2 harvesting, 1 trading`. */
export function countsWords(counts: GlobalHarvest['counts']): string {
  return (Object.keys(HARVEST_LABELS) as HarvestStatus[])
    .filter((status) => (counts[status] ?? 0) > 0)
    .map((status) => `${counts[status]} ${HARVEST_LABELS[status].label.replace('...', '').toLowerCase()}`)
    .join(', ');
}
