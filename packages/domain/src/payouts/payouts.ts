import type { PayoutStatus } from '../catalogue.ts';
import type { TransferState } from './transfers.ts';

/** What decides what may be done about a payout. */
export interface PayoutFacts {
  status: PayoutStatus;
  /** Whether it belongs to a distribution that was approved; imported payouts belong to none. */
  isApproved: boolean;
  /** Whether it came with an import: nothing here says what became of it. */
  isImported: boolean;
  /** Whether its shares come to its amount: those of one that was sent again belong to another payout by now. */
  hasItsShares: boolean;
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
export function canRetryPayout(facts: PayoutFacts): boolean {
  const { status, isApproved, hasItsShares, transfer, consolidations } = facts;
  return (
    status === 'failed' &&
    isApproved &&
    hasItsShares &&
    PAID_NOTHING.has(transfer) &&
    !consolidations.includes('sent')
  );
}

/**
 * Whether the shares of a failed payout may be ordered again at the address that its recipient has now. One that was
 * imported may be, too: whoever does so says that it was not paid.
 */
export function canResendPayout(facts: PayoutFacts): boolean {
  return canRetryPayout(facts) || (facts.status === 'failed' && facts.isImported && facts.hasItsShares);
}

/** Whether a payout may be taken back: its transfer is not on chain yet, or may be overtaken there, which was not asked. */
export function canCancelPayout({ isApproved, transfer, isCancelAsked }: PayoutFacts): boolean {
  return isApproved && (transfer === 'planned' || (transfer === 'sent' && !isCancelAsked));
}
