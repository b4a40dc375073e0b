import type { PayoutStatus } from '../catalogue.ts';
import { MOVED_NOTHING } from './payout-states.ts';
import type { TransferState } from './transfers.ts';

/** The facts that decide which actions a payout allows. */
export interface PayoutFacts {
  status: PayoutStatus;
  /** Whether it belongs to an approved distribution; imported payouts belong to none. */
  isApproved: boolean;
  /** Whether it was imported, so its outcome is unknown here. */
  isImported: boolean;
  /** Whether its shares equal its amount; after ordering again they belong to another payout. */
  hasItsShares: boolean;
  /** State of the newest transfer to the recipient; null: there was none yet. */
  transfer: TransferState | null;
  /** Whether a cancellation of this transfer was already requested. */
  isCancelAsked: boolean;
}

/** A transfer to the recipient in one of these states has paid nothing, and does not without manual action. */
const PAID_NOTHING: ReadonlySet<TransferState | null> = new Set(['planned', ...MOVED_NOTHING]);

/**
 * Whether a failed payout may be paid again: only when its recipient certainly was not paid, and no transfer to it is
 * under way. Consolidations may be: the payout waits for them.
 */
export function canRetryPayout(facts: PayoutFacts): boolean {
  const { status, isApproved, hasItsShares, transfer } = facts;
  return status === 'failed' && isApproved && hasItsShares && PAID_NOTHING.has(transfer);
}

/**
 * Whether the shares of a failed payout may be ordered again to the recipient's present address. This includes imported
 * ones: the person who orders again confirms that it was not paid.
 */
export function canResendPayout(facts: PayoutFacts): boolean {
  return canRetryPayout(facts) || (facts.status === 'failed' && facts.isImported && facts.hasItsShares);
}

/**
 * Whether a payout may be cancelled: its transfer is not signed yet, or it is sent, not final, and no cancellation was
 * requested.
 */
export function canCancelPayout({ isApproved, transfer, isCancelAsked }: PayoutFacts): boolean {
  return isApproved && (transfer === 'planned' || (transfer === 'sent' && !isCancelAsked));
}
