import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import type { ToastItem } from '../../../ui/feedback/toast-store.ts';
import { distributedWords, payoutsWord } from '../payout-texts.ts';
import type { PayoutOf } from '../payouts-queries.ts';
import type { PayoutRun } from '../runs/runs-queries.ts';
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
  if (failed.length > 0) return failedOf(failed.length, payouts.length);
  const paid = payouts.reduce((sum, { total_amount }) => sum + unitsOf(total_amount), 0n);
  const returned = unitsOf(orderedAmount) - paid;
  const success = { tone: 'positive', title: distributedWords(recipients) } as const;
  return returned > 0n ? { ...success, text: returnedWords(unitsToDecimal(returned)) } : success;
}

const failedOf = (failed: number, all: number): Outcome => ({
  tone: 'negative',
  title: `${formatCount(failed)} of ${payoutsWord(all)} failed`,
  text: 'Nothing was lost: their amounts stay reserved. Open Transaction History to retry them.',
});

/** The same of a payout run, whose parts may have been paid less: each says so in its community. */
export function outcomeOfRun({ payouts, payout_count: all }: PayoutRun): Outcome | null {
  if (payouts.under_way > 0) return null;
  return payouts.failed > 0
    ? failedOf(payouts.failed, all)
    : { tone: 'positive', title: distributedWords(null) };
}

const unitsOf = (amount: string) => decimalToUnits(amount) ?? 0n;

/** The amount ordered but not paid, and its present state. */
const returnedWords = (amount: string) =>
  `${usdt(amount)} returned to pending: a deposit address could not be emptied.`;
