import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import type { ToastItem } from '../../../ui/feedback/toast-store.ts';
import { distributedWords, payoutsWord } from '../payout-texts.ts';
import type { PayoutOf } from '../payouts-queries.ts';
import type { Followed } from './followed-distributions.ts';

type Outcome = Pick<ToastItem, 'tone' | 'title' | 'text'>;

const FINAL: ReadonlySet<string> = new Set(['distributed', 'failed']);

/**
 * The announcement after the last payout of a distribution has ended: success only when every payout was paid.
 * @returns null while a payout is unfinished
 */
export function outcomeOf(
  { orderedAmount, recipients }: Pick<Followed, 'orderedAmount' | 'recipients'>,
  payouts: readonly Pick<PayoutOf, 'status' | 'problem' | 'total_amount'>[],
): Outcome | null {
  if (payouts.length === 0 || payouts.some(({ status }) => !FINAL.has(status))) return null;
  const failed = payouts.filter(({ status }) => status === 'failed');
  if (failed.length === payouts.length && failed.every(({ problem }) => problem === 'declined'))
    return {
      tone: 'neutral',
      title: 'Distribution declined',
      text: `Nothing was sent. ${usdt(orderedAmount)} is pending again.`,
    };
  if (failed.length > 0)
    return {
      tone: 'negative',
      title: `${formatCount(failed.length)} of ${payoutsWord(payouts.length)} failed`,
      text: 'Nothing was lost: their amounts stay reserved. Open Transaction History to retry them.',
    };
  const paid = payouts.reduce((sum, { total_amount }) => sum + unitsOf(total_amount), 0n);
  const returned = unitsOf(orderedAmount) - paid;
  const success = { tone: 'positive', title: distributedWords(recipients) } as const;
  return returned > 0n ? { ...success, text: returnedWords(unitsToDecimal(returned)) } : success;
}

const unitsOf = (amount: string) => decimalToUnits(amount) ?? 0n;

/** The amount ordered but not paid, and its present state. */
const returnedWords = (amount: string) =>
  `${usdt(amount)} returned to pending: a deposit address could not be emptied.`;
