import { problemWords } from '../../../lib/payout-problem-words.ts';
import { PayoutStatus } from '../../../ui/payout-status.tsx';
import type { SweepOperation } from '../sweeps-queries.ts';
import { failedBriefly } from './failed-words.ts';

type Shown = Pick<SweepOperation, 'status' | 'problem' | 'is_imported'>;

/** What became of a payout: if it failed why, and whether it was sent from here at all. */
export function SweepState({ sweep: { status, problem, is_imported } }: { sweep: Shown }) {
  const note = status === 'failed' ? failedBriefly(problem) : is_imported ? 'Imported' : null;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PayoutStatus status={status} />
      {note && (
        <span
          className="truncate text-xs text-muted"
          title={
            status !== 'failed'
              ? 'Imported: no transaction of it was sent here.'
              : problem
                ? `${problemWords(problem)} Open it to see what can be done.`
                : 'Open it to see what can be done.'
          }
        >
          {note}
          {status === 'failed' && is_imported && ' · Imported'}
        </span>
      )}
    </span>
  );
}
