import type { PayoutStatus } from '../catalogue.ts';
import { MOVED_NOTHING } from './payout-states.ts';
import type { TransferState } from './transfers/transfer-states.ts';

/** The facts that decide which actions a payout allows. */
export interface PayoutFacts {
  status: PayoutStatus;
  /** Whether it belongs to an approved distribution; imported payouts belong to none. */
  isApproved: boolean;
  /** Whether it was imported, so its outcome is unknown here. */
  isImported: boolean;
  /** Whether its shares equal its amount; after ordering again they belong to another payout. */
  hasItsShares: boolean;
  /** Whether its recipients still have the address that it pays: workers sign for no other. */
  hasItsAddress: boolean;
  /** State of the newest transfer to the recipient; null: there was none yet. */
  transfer: TransferState | null;
  /** Whether a cancellation of this transfer was already requested. */
  isCancelAsked: boolean;
}

/** A transfer to the recipient in one of these states has paid nothing, and does not without manual action. */
const PAID_NOTHING: ReadonlySet<TransferState | null> = new Set(['planned', ...MOVED_NOTHING]);

/** The most payouts that are paid again at once: one order under the locks of their communities. */
export const MOST_RETRIED = 500;

/** Why a payout may not be paid again as it was, the first that applies. */
export const RETRY_REFUSALS = [
  'not_failed',
  'imported',
  'not_approved',
  'ordered_again',
  'outcome_unknown',
  'address_changed',
] as const;
export type RetryRefusal = (typeof RETRY_REFUSALS)[number];

/**
 * Whether a failed payout may be paid again, as it was; null: it may. Consolidations may be under way: the
 * payout waits for them. If its recipient has another address now, it must be ordered again instead: no
 * worker would sign it.
 */
export function whyNoRetry(facts: PayoutFacts): RetryRefusal | null {
  if (facts.status !== 'failed') return 'not_failed';
  if (facts.isImported) return 'imported';
  if (!facts.isApproved) return 'not_approved';
  if (!facts.hasItsShares) return 'ordered_again';
  if (!PAID_NOTHING.has(facts.transfer)) return 'outcome_unknown';
  return facts.hasItsAddress ? null : 'address_changed';
}

export const canRetryPayout = (facts: PayoutFacts): boolean => whyNoRetry(facts) === null;

/** A failed payout whose recipient certainly was not paid, and to whom no transfer is under way. */
function isSafelyFailed(facts: PayoutFacts): boolean {
  const reason = whyNoRetry(facts);
  return reason === null || reason === 'address_changed';
}

/**
 * Whether the shares of a failed payout may be ordered again to the recipient's present address. This includes imported
 * ones: the person who orders again confirms that it was not paid.
 */
export function canResendPayout(facts: PayoutFacts): boolean {
  return isSafelyFailed(facts) || (facts.status === 'failed' && facts.isImported && facts.hasItsShares);
}

/**
 * Whether a payout may be cancelled: its transfer is not signed yet, or it is sent, not final, and no cancellation was
 * requested.
 */
export function canCancelPayout({ isApproved, transfer, isCancelAsked }: PayoutFacts): boolean {
  return isApproved && (transfer === 'planned' || (transfer === 'sent' && !isCancelAsked));
}
