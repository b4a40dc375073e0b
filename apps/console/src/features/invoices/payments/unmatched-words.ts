import { formatCount } from '@copydesk/domain';
import { formatUsdt } from '../../../lib/payout-words.ts';
import type { UnmatchedPage } from './unmatched-query.ts';

/** The unmatched payments, in a sentence. */
export function waitingWords({ total, total_amount }: UnmatchedPage['meta']): string {
  const payments = total === 1 ? '1 payment' : `${formatCount(total)} payments`;
  return `${payments} of ${formatUsdt(total_amount)} USDT ${total === 1 ? 'waits' : 'wait'} for an invoice`;
}
