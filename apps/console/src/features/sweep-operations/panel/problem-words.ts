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

/** What ordering a failed payout again is called: its recipient may have another address by now. */
export const resendLabel = ({ current_address }: Pick<SweepDetail, 'current_address'>) =>
  current_address === null ? 'Order again' : 'Send to new address';

/** What is said after a payout was asked to go on, or to stop. */
export const retriedWords = (status: string) =>
  status === 'failed' ? 'It is still failed' : 'Not sent yet.';

export const cancelledWords = (status: string) =>
  status === 'failed'
    ? 'Nothing was signed for it: it is taken back'
    : 'It is taken back if the chain has not taken it before. Its state will tell.';
