import type { SweepStatus } from './catalogue.ts';
import type { TransferState } from './transfers.ts';

/** What decides what may be done about a payout. */
export interface PayoutFacts {
  status: SweepStatus;
  /** Whether it belongs to a distribution that was approved; imported payouts belong to none. */
  isApproved: boolean;
  /** State of the newest transfer to the recipient; null: there was none yet. */
  transfer: TransferState | null;
  /** Whether it was asked already that this transfer's nonce be spent on nothing. */
  isCancelAsked: boolean;
  /** States of the transfers that bring what it pays into the community's wallet. */
  consolidations: readonly TransferState[];
}

/** A transfer in one of these states has moved nothing, and never will without a person. */
const PAID_NOTHING: ReadonlySet<TransferState | null> = new Set(['planned', 'reverted', 'cancelled', 'void']);

/**
 * Whether a failed payout may be paid again: only when it is certain that its recipient was not paid, and that nothing
 * of what it needs is on its way.
 */
export function canRetryPayout({ status, isApproved, transfer, consolidations }: PayoutFacts): boolean {
  return status === 'failed' && isApproved && PAID_NOTHING.has(transfer) && !consolidations.includes('sent');
}

/** Whether a payout may be taken back: its transfer is not on chain yet, or may be overtaken there, which was not asked. */
export function canCancelPayout({ isApproved, transfer, isCancelAsked }: PayoutFacts): boolean {
  return isApproved && (transfer === 'planned' || (transfer === 'sent' && !isCancelAsked));
}
