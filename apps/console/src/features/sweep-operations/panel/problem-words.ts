import type { PayoutProblem } from '@copydesk/domain';
import type { SweepDetail } from '../sweeps-queries.ts';

type Transfer = SweepDetail['transfers'][number];

/** Why a payout or a transfer does not go on, for people who do not read codes. */
const PROBLEMS: Record<PayoutProblem, string> = {
  declined: 'A super admin declined the distribution. Its shares are pending again.',
  cancelled: 'It was taken back before it was on chain.',
  sent_again: 'Its shares were ordered again at another address, as another payout.',
  reverted: 'The chain refused the transfer: nothing was paid.',
  consolidation_reverted: 'The chain refused to collect from a deposit address: nothing was paid.',
  nothing_moved: 'The chain took the transaction and moved nothing: nothing was paid.',
  foreign_transaction: 'Another transaction was sent in its place: nothing was paid.',
  receipt_differs: 'What the chain says of it is not what was sent. A person has to look.',
  refused_by_chain: 'The chain does not take the transfer. It is tried again by itself.',
  waits_for_gas: 'The address has no BNB for the fee yet. It is sent some by itself.',
  gas_wallet_empty: 'The wallet that pays for gas is empty. Send BNB to it.',
  wallet_not_of_seed: 'The wallet is not one that this worker has the key of.',
  over_transaction_limit: 'The amount is over the limit for one transfer.',
  over_day_limit: 'The limit for one day is reached. It is tried again when the day is over.',
};

/** A newer server may know more reasons than this page. */
export const problemWords = (problem: string) =>
  PROBLEMS[problem as PayoutProblem] ?? `The reason is known as ${problem}.`;

export const KIND_WORDS: Record<Transfer['kind'], string> = {
  consolidate: 'Collect from a deposit address',
  distribute: 'Pay the recipient',
};

export const STATE_WORDS: Record<Transfer['state'], string> = {
  planned: 'Planned',
  sent: 'Sent',
  final: 'Final',
  reverted: 'Reverted',
  cancelled: 'Cancelled',
  void: 'Taken back',
};

/** What is said after a payout was asked to go on, or to stop. */
export const retriedWords = (status: string) =>
  status === 'failed' ? 'It stands as failed still' : 'It is paid once its turn comes';

export const cancelledWords = (status: string) =>
  status === 'failed'
    ? 'Nothing was signed for it: it is taken back'
    : 'It is taken back if the chain has not taken it before. Its state will tell.';
