import type { PayoutStatus } from '../catalogue.ts';

/** Progress of an approved distribution. */
export const DISTRIBUTION_PROGRESS = ['ordered', 'under_way', 'done', 'needs_attention'] as const;
export type DistributionProgress = (typeof DISTRIBUTION_PROGRESS)[number];

/** On-chain steps of a payout: consolidating deposit addresses, and paying the recipient. */
export const PAYOUT_STEPS = ['consolidate', 'distribute'] as const;
export type PayoutStep = (typeof PAYOUT_STEPS)[number];

/** The current step of a distribution, and its time without progress. */
export interface StandingStep {
  step: PayoutStep;
  /** Since the step began, or since the last transfer of the distribution ended, whichever is later. */
  standingMs: number;
  /** Median duration of the step in recent distributions; null: not measured yet. */
  usualMs: number | null;
}

/** The assumed duration of a step that has not been measured. */
const ASSUMED_USUAL_MS = 120_000;
/** Short steps vary by more than their own duration: no step is late before a minute. */
const LATE_AT_LEAST_MS = 60_000;
const LATE_FACTOR = 2;

/** Whether a step has made no progress for more than twice its usual duration. */
export function isLate({ standingMs, usualMs }: StandingStep): boolean {
  return standingMs > Math.max(LATE_FACTOR * (usualMs ?? ASSUMED_USUAL_MS), LATE_AT_LEAST_MS);
}

/** Reasons to wait that need manual action. All others may pass automatically. */
const NEEDS_A_PERSON: ReadonlySet<string | null> = new Set([
  'wallet_frozen',
  'gas_wallet_frozen',
  'gas_wallet_empty',
  'wallet_not_of_seed',
  'over_transaction_limit',
  'receipt_differs',
]);

/** The facts that decide the progress of a distribution. */
export interface DistributionFacts {
  /** Payouts by status. A payout whose shares were ordered again counts there, not here. */
  counts: Readonly<Partial<Record<PayoutStatus, number>>>;
  /** Whether any of its transfers was signed. */
  hasBegun: boolean;
  /** The worst reason among its waiting transfers; null: none is under way. */
  waitReason: string | null;
  standing: StandingStep | null;
}

const UNFINISHED = ['pending', 'consolidating', 'consolidated', 'distributing'] as const;

/** Whether payouts under way make no progress: manual action is needed, or the step is late. */
export function isAtStandstill({
  waitReason,
  standing,
}: Pick<DistributionFacts, 'waitReason' | 'standing'>): boolean {
  return NEEDS_A_PERSON.has(waitReason) || (standing !== null && isLate(standing));
}

/**
 * The progress of an approved distribution. It needs attention when a payout failed, when it waits for manual action,
 * or when a step has taken more than twice its usual duration.
 */
export function progressOf({ counts, hasBegun, ...waiting }: DistributionFacts): DistributionProgress {
  const isAny = (status: PayoutStatus) => (counts[status] ?? 0) > 0;
  if (isAny('failed')) return 'needs_attention';
  if (!UNFINISHED.some(isAny)) return 'done';
  if (isAtStandstill(waiting)) return 'needs_attention';
  return hasBegun ? 'under_way' : 'ordered';
}
