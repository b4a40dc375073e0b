import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { formatUsdt } from '../../../../lib/format/usdt.ts';
import type { PayoutDetail } from '../history-queries.ts';

type RetryReason = NonNullable<
  CallAnswer<'POST /api/sweep-operations/retry/preview'>['data']['rows'][number]['reason']
>;
type Transfer = PayoutDetail['transfers'][number];

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

/** The label for ordering a failed payout again: its recipient may have another address by now. */
export const resendLabel = ({ current_address }: Pick<PayoutDetail, 'current_address'>) =>
  current_address === null ? 'Order again' : 'Send to new address';

/** The remedy for a failed payout, or why there is none now. */
export function remedyWords(
  payout: Pick<PayoutDetail, 'problem' | 'can_retry' | 'can_resend' | 'can_cancel' | 'current_address'>,
  isSuper: boolean,
): string {
  const { problem, can_retry, can_resend, can_cancel, current_address } = payout;
  if (problem === 'declined' || problem === 'sent_again') return '';
  if (!isSuper) return 'A super admin can pay it again.';
  const ways = [
    can_retry && 'retry it at the same address',
    can_resend && current_address !== null && 'send it to the new address',
    can_resend && current_address === null && !can_retry && 'order it again',
    can_cancel && 'cancel it',
  ].filter((way) => way !== false);
  if (ways.length === 0) return 'It cannot be retried until it is certain that nothing was paid.';
  return `You can ${ways.join(', or ')}.`;
}

/** Why a payout is not paid again as it was. */
export const RETRY_REASONS: Record<RetryReason, string> = {
  not_failed: 'It has not failed',
  imported: 'Imported: nothing is known of its transfer. Open it to order it again',
  not_approved: 'Its distribution was not approved',
  ordered_again: 'Ordered again as another payout',
  outcome_unknown: 'It is not certain that nothing was paid',
  address_changed: 'Its recipient has another address now: open it to send it there',
  wallet_not_ready: "The community's wallet is not set up yet",
};

/** The message after a retry or cancel was requested. */
export const retriedWords = (status: string) =>
  status === 'failed' ? 'It is still failed' : 'Not sent yet.';

export const cancelledWords = (status: string) =>
  status === 'failed'
    ? 'Nothing was signed for it yet: it is cancelled'
    : 'It is cancelled unless it is already on chain. Watch its status.';

/** Payouts of a retry that a question names. */
const NAMED = 5;

/** The payouts that a retry pays too: a deposit address is emptied once, for all of them. */
export function alsoPaidWords(others: PayoutDetail['retried_with']): string {
  if (others.length === 0) return '';
  const named = others
    .slice(0, NAMED)
    .map(({ amount, recipient_address }) => `${formatUsdt(amount)} USDT to ${shortId(recipient_address)}`);
  const more = others.length - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
  return others.length === 1
    ? ` 1 more payout failed because of the same deposits and is paid with it: ${list}.`
    : ` ${formatCount(others.length)} more payouts failed because of the same deposits and are paid with it: ${list}.`;
}
