import type { SweepDetail } from '../sweeps-queries.ts';

type Transfer = SweepDetail['transfers'][number];

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
