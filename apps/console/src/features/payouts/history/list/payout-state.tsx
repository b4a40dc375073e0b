import type { PayoutProblem } from '@copydesk/domain/payouts';
import { clsx } from 'clsx';
import { useEffect, useReducer } from 'react';
import { AWAITS_APPROVAL, problemWords } from '../../../../lib/format/payout-problem-texts.ts';
import { momentWords } from '../../../../lib/format/read-time.ts';
import type { Payout } from '../history-queries.ts';
import { PayoutStatusBadge } from '../payout-status-badge.tsx';

type Shown = Pick<Payout, 'status' | 'problem' | 'is_imported' | 'awaits_approval' | 'updated_at'>;

/**
 * A payout under way changes within minutes. After this long without a change it is held up: by the chain,
 * gas or a wallet.
 */
const STANDS_AFTER_MS = 10 * 60_000;

/** The status of a payout, with the reason for a failure or wait, and a mark for imported payouts. */
export function PayoutState({ payout }: { payout: Shown }) {
  useRenderAt(Date.parse(payout.updated_at) + STANDS_AFTER_MS);
  const note = noteOf(payout);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PayoutStatusBadge status={payout.status} />
      {note && (
        <span
          className={clsx('truncate text-xs', note.isCaution ? 'text-caution' : 'text-muted')}
          title={note.title}
        >
          {note.words}
        </span>
      )}
    </span>
  );
}

/** Renders again at a future moment. */
function useRenderAt(at: number): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onceAfter(at, again), [at]);
}

/** Acts once, right after a future moment; never when it is past. @returns a function that calls it off */
export function onceAfter(at: number, act: () => void): () => void {
  const left = at - Date.now();
  const timer = left < 0 ? undefined : setTimeout(act, left + 1);
  return () => clearTimeout(timer);
}

interface Note {
  words: string;
  title: string;
  isCaution?: boolean;
}

function noteOf({ status, problem, is_imported, awaits_approval, updated_at }: Shown): Note | null {
  if (status === 'failed')
    return {
      words: [failedBriefly(problem), is_imported && 'Imported'].filter(Boolean).join(' · '),
      title: `${problem ? `${problemWords(problem)} ` : ''}Open it to see what can be done.`,
    };
  if (awaits_approval) return { words: 'Awaiting approval', title: AWAITS_APPROVAL };
  if (is_imported) return { words: 'Imported', title: 'Imported: no transaction of it was sent here.' };
  if (status !== 'distributed' && Date.now() - Date.parse(updated_at) > STANDS_AFTER_MS)
    return {
      words: `Since ${momentWords(updated_at)}`,
      title: 'Nothing has moved since. Open it to see what it waits for.',
      isCaution: true,
    };
  return null;
}

const BRIEFLY: Record<PayoutProblem, string> = {
  declined: 'Declined',
  cancelled: 'Cancelled',
  sent_again: 'Replaced',
  reverted: 'Reverted',
  consolidation_reverted: 'Collecting reverted',
  nothing_moved: 'Nothing moved',
  foreign_transaction: 'Replaced',
  receipt_differs: 'Receipt differs',
  not_backed: 'Not backed',
  refused_by_chain: 'Refused by the chain',
  server_failed: 'No answer',
  waits_for_gas: 'No gas',
  gas_wallet_empty: 'No gas',
  wallet_not_of_seed: 'Unknown wallet',
  over_transaction_limit: 'Over the limit',
  over_day_limit: 'Over the day limit',
  over_hard_max: 'Over the hard maximum',
  gas_limit_reached: 'Limit of gas',
};

/** Why a payout failed, in a few words for the list. */
export const failedBriefly = (problem: string | null) =>
  problem === null ? 'Reason unknown' : (BRIEFLY[problem as PayoutProblem] ?? problem.replaceAll('_', ' '));
