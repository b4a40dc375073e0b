import type { HarvestStatus } from '../../catalogue.ts';

/** Steps of a cycle within each status that can fail, in their order. */
export const MOVING_STEPS = {
  starting_harvesting: ['pausing', 'checking'],
  awaiting_bybit_withdrawal: ['withdrawing'],
  processing_invoices: ['valuing', 'opening'],
  stopping_harvesting: ['planning', 'sending', 'crediting', 'moving', 'resuming'],
} as const satisfies Partial<Record<HarvestStatus, readonly string[]>>;

/** Steps of each status that can last. While the gate is `closing`, no new deposit or withdrawal is accepted. */
export const LASTING_STEPS = {
  stopped: ['trading'],
  harvesting: ['open', 'closing'],
} as const satisfies Partial<Record<HarvestStatus, readonly string[]>>;

export type HarvestStep =
  | (typeof MOVING_STEPS)[keyof typeof MOVING_STEPS][number]
  | (typeof LASTING_STEPS)[keyof typeof LASTING_STEPS][number];
/** Every step. A failed cycle keeps the one that failed. */
export const HARVEST_STEPS: readonly HarvestStep[] = [
  ...Object.values(LASTING_STEPS).flat(),
  ...Object.values(MOVING_STEPS).flat(),
];

type StatesOf<Steps extends Record<string, readonly string[]>> = {
  [Status in keyof Steps & string]: { status: Status; step: Steps[Status][number] };
}[keyof Steps & string];

/** A state that must end before a deadline. It can fail. */
export type MovingState = StatesOf<typeof MOVING_STEPS>;
export type LastingState = StatesOf<typeof LASTING_STEPS>;

/** Why a cycle failed. The last two need a decision by two people; after the first two the step can be retried. */
export const FAILURE_REASONS = [
  'deadline_passed',
  'transfer_reverted',
  'deposit_rejected',
  'shortfall',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A failed cycle keeps the state that failed. */
export interface FailedState {
  status: 'failed';
  step: MovingState['step'];
  failedFrom: MovingState['status'];
}

export type HarvestState = LastingState | MovingState | FailedState;

const expand = (steps: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(steps).flatMap(([status, names]) => names.map((step) => ({ status, step })));

export const MOVING_STATES = expand(MOVING_STEPS) as readonly MovingState[];

/** Every state of a cycle. */
export const HARVEST_STATES: readonly HarvestState[] = [
  ...(expand(LASTING_STEPS) as LastingState[]),
  ...MOVING_STATES,
  ...MOVING_STATES.map(({ status, step }): FailedState => ({ status: 'failed', step, failedFrom: status })),
];

/** The first state of each cycle: the pool trades. */
export const TRADING: LastingState = { status: 'stopped', step: 'trading' };
export const VALUING: MovingState = { status: 'processing_invoices', step: 'valuing' };

const HOUR = 60;
const MINUTE_MS = 60_000;

/** Minutes that a state may last; the clock of a status with one entry runs over all its steps. */
const DEADLINE_MINUTES = {
  starting_harvesting: 15,
  awaiting_bybit_withdrawal: 72 * HOUR,
  processing_invoices: { valuing: 60, opening: 60 },
  stopping_harvesting: 3 * HOUR,
} as const satisfies Record<MovingState['status'], number | Record<string, number>>;

/** Hours after which the owner is reminded of the withdrawal. */
const REMINDER_HOURS = [2, 12, 24] as const;

/** Start times of a state. */
export interface StateClock {
  statusSince: Date;
  stepSince: Date;
  /** Time that a valuation waited for another person's approval. It does not count. */
  waitedForPersonMs: number;
  /** Time since `clockStartOf` in which all payments were stopped. It does not count. */
  stoppedMs: number;
}

/** When the clock of a state's deadline began: with its status, or with its step. */
export function clockStartOf(
  { status }: HarvestState,
  { statusSince, stepSince }: Pick<StateClock, 'statusSince' | 'stepSince'>,
): Date {
  return status === 'processing_invoices' ? stepSince : statusSince;
}

/** When a state must have ended; null for a state that may last. */
export function deadlineOf(state: HarvestState, clock: StateClock): Date | null {
  if (state.status === 'stopped' || state.status === 'harvesting' || state.status === 'failed') return null;
  const startMs = clockStartOf(state, clock).getTime() + clock.stoppedMs;
  if (state.status !== 'processing_invoices')
    return new Date(startMs + DEADLINE_MINUTES[state.status] * MINUTE_MS);
  const waitedMs = state.step === 'valuing' ? clock.waitedForPersonMs : 0;
  const minutes = DEADLINE_MINUTES.processing_invoices[state.step];
  return new Date(startMs + minutes * MINUTE_MS + waitedMs);
}

/** The hours of the reminders to the owner that are due and not sent yet. */
export function dueReminders(
  state: HarvestState,
  { statusSince, stoppedMs }: Pick<StateClock, 'statusSince' | 'stoppedMs'>,
  now: Date,
  sentHours: readonly number[],
): number[] {
  if (state.status !== 'awaiting_bybit_withdrawal') return [];
  const elapsedMs = now.getTime() - statusSince.getTime() - stoppedMs;
  return REMINDER_HOURS.filter(
    (hours) => elapsedMs >= hours * HOUR * MINUTE_MS && !sentHours.includes(hours),
  );
}
