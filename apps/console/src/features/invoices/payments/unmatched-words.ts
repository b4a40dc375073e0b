import { formatCount } from '@copydesk/domain';
import { formatUsdt } from '../../../lib/payout-words.ts';
import type { UnmatchedPage } from './unmatched-query.ts';

const payments = (count: number) => (count === 1 ? '1 payment' : `${formatCount(count)} payments`);

/** The unmatched payments, in a sentence. */
export function waitingWords({ waiting, total_amount, returning }: UnmatchedPage['meta']): string {
  const sentBack = `${payments(returning)} ${returning === 1 ? 'is' : 'are'} being sent back`;
  if (waiting === 0) return sentBack;
  const wait = `${payments(waiting)} of ${formatUsdt(total_amount)} USDT ${waiting === 1 ? 'waits' : 'wait'} for an invoice`;
  return returning === 0 ? wait : `${wait}, ${sentBack}`;
}
