import { isSameMove, type TokenMove } from './transfers.ts';

/** States of a transfer on chain: planned, sent until it is final, and its possible ends. */
export const TRANSFER_STATES = ['planned', 'sent', 'final', 'reverted', 'cancelled', 'void'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

interface TransferMove {
  from: TransferState;
  to: TransferState;
}

/** What happens to a transfer, and its state afterwards. Each change of a state is one of these; an end never changes. */
export const TRANSFER_MOVES = {
  /** Its nonce and its bytes are stored. */
  signed: { from: 'planned', to: 'sent' },
  /** A person took it back, or nothing can sign it. */
  taken_back: { from: 'planned', to: 'void' },
  /** No fact allows it. */
  set_aside: { from: 'planned', to: 'void' },
  paid: { from: 'sent', to: 'final' },
  reverted: { from: 'sent', to: 'reverted' },
  cancelled: { from: 'sent', to: 'cancelled' },
} as const satisfies Record<string, TransferMove>;
export type TransferEvent = keyof typeof TRANSFER_MOVES;

/** Problems of a transfer whose nonce is spent in final blocks. Its wallet is frozen until they are reviewed. */
export type Suspicion = 'foreign_transaction' | 'nothing_moved' | 'receipt_differs';

/** How a review ends a suspected transfer that paid no one. Another effect than asked needs more than a review. */
export const REVIEWED = {
  foreign_transaction: 'cancelled',
  nothing_moved: 'reverted',
} as const satisfies Partial<Record<Suspicion, TransferEvent>>;

/** How a transfer ended, or what is wrong with it, by the final receipt of its mined attempt. */
export type TransferEnd = 'final' | 'reverted' | 'cancelled';

/**
 * The end of a transfer by the final receipt of one of its attempts, or the suspicion that the receipt raises.
 * @param asked null: coin, which leaves no log, so the signed bytes and a successful receipt are the only evidence
 */
export function readReceipt(
  asked: TokenMove | null,
  { isCancel, isSuccess, moved }: { isCancel: boolean; isSuccess: boolean; moved: readonly TokenMove[] },
): TransferEnd | Exclude<Suspicion, 'foreign_transaction'> {
  if (isCancel) return 'cancelled';
  if (!isSuccess) return 'reverted';
  if (asked === null || isSameMove(asked, moved)) return 'final';
  return moved.length === 0 ? 'nothing_moved' : 'receipt_differs';
}

/** The facts that decide whether a sent transfer is signed again. */
export interface SentFacts {
  isCancelAsked: boolean;
  /** Whether its newest attempt spends the nonce on an empty transaction. */
  isNewestCancel: boolean;
  /** Whether every server refuses its newest attempt for the fee: it will never be mined. */
  isUnderpriced: boolean;
  /** Whether its newest attempt was signed long ago. */
  isOld: boolean;
  /** Whether its nonce is the next of the chain: later ones cannot be mined before it. */
  isNext: boolean;
  /** Whether all payments are stopped. */
  isStopped: boolean;
}

/**
 * The transaction to sign again for a nonce that is in no block: the same transfer for a higher fee, or an empty one in
 * its place where a cancellation was requested. Nothing else is ever signed for it.
 */
export function replacementOf(facts: SentFacts): 'transfer' | 'cancel' | null {
  const { isCancelAsked, isNewestCancel, isUnderpriced, isOld, isNext, isStopped } = facts;
  if (!(isCancelAsked && !isNewestCancel) && !isUnderpriced && !(isNext && isOld)) return null;
  if (isCancelAsked) return 'cancel';
  return isStopped ? null : 'transfer';
}
