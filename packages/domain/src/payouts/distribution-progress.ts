import type { PayoutStatus } from '../catalogue.ts';

/** How far an approved distribution came. */
export const DISTRIBUTION_PROGRESS = ['ordered', 'under_way', 'done', 'needs_attention'] as const;
export type DistributionProgress = (typeof DISTRIBUTION_PROGRESS)[number];

/** Steps of a payout that take time on chain: collecting from deposit addresses, and paying the recipient. */
export const PAYOUT_STEPS = ['consolidate', 'distribute'] as const;
export type PayoutStep = (typeof PAYOUT_STEPS)[number];

/** The step that a distribution is at, and how long it has made no progress there. */
export interface StandingStep {
  step: PayoutStep;
  /** Since the step began, or since the last transfer of the distribution ended, whichever is later. */
  standingMs: number;
  /** Median duration of the step in recent distributions; null: none has been measured yet. */
  usualMs: number | null;
}

/** Until a step has been measured, it is expected to take this long. */
const ASSUMED_USUAL_MS = 120_000;
/** Steps of a few seconds vary by more than their own length: no step is late before a minute. */
const LATE_AT_LEAST_MS = 60_000;
const LATE_FACTOR = 2;

/** Whether a step has stood still for more than twice its usual time. */
export function isLate({ standingMs, usualMs }: StandingStep): boolean {
  return standingMs > Math.max(LATE_FACTOR * (usualMs ?? ASSUMED_USUAL_MS), LATE_AT_LEAST_MS);
}

/** Reasons to wait that only a person can remove. Everything else may pass without one. */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set([
  'wallet_frozen',
  'gas_wallet_frozen',
  'gas_wallet_empty',
  'wallet_not_of_seed',
  'over_transaction_limit',
  'receipt_differs',
]);

/** What decides how far a distribution came. */
export interface DistributionFacts {
  /** Payouts by status. One whose shares were ordered again counts where it was ordered, not here. */
  counts: Readonly<Partial<Record<PayoutStatus, number>>>;
  /** Whether a transfer of it was signed. */
  hasBegun: boolean;
  /** The worst reason that its unfinished transfers wait for; null: none is under way. */
  waitReason: string | null;
  standing: StandingStep | null;
}

/** Whether payouts under way make no progress: a person has to act, or the step is late. */
export function isAtStandstill({
  waitReason,
  standing,
}: Pick<DistributionFacts, 'waitReason' | 'standing'>): boolean {
  return (waitReason !== null && NEEDS_A_PERSON.has(waitReason)) || (standing !== null && isLate(standing));
}

/**
 * How far an approved distribution came. It needs attention when a payout failed, when it waits for something that only
 * a person can change, or when a step has taken more than twice its usual time.
 */
export function progressOf({ counts, hasBegun, ...waiting }: DistributionFacts): DistributionProgress {
  const count = (status: PayoutStatus) => counts[status] ?? 0;
  if (count('failed') > 0) return 'needs_attention';
  const unfinished =
    count('pending') + count('consolidating') + count('consolidated') + count('distributing');
  if (unfinished === 0) return 'done';
  if (isAtStandstill(waiting)) return 'needs_attention';
  return hasBegun ? 'under_way' : 'ordered';
}
