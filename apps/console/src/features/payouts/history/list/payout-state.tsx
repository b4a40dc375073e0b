import { AWAITS_APPROVAL, problemWords } from '../../../../lib/payout-problem-words.ts';
import { PayoutStatusBadge } from '../../../../ui/feedback/payout-status-badge.tsx';
import type { Payout } from '../history-queries.ts';
import { failedBriefly } from './failed-words.ts';

type Shown = Pick<Payout, 'status' | 'problem' | 'is_imported' | 'awaits_approval'>;

/** The status of a payout, with the reason for a failure or wait, and a mark for imported payouts. */
export function PayoutState({ payout }: { payout: Shown }) {
  const note = noteOf(payout);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PayoutStatusBadge status={payout.status} />
      {note && (
        <span className="truncate text-xs text-muted" title={note.title}>
          {note.words}
        </span>
      )}
    </span>
  );
}

function noteOf({ status, problem, is_imported, awaits_approval }: Shown) {
  if (status === 'failed')
    return {
      words: [failedBriefly(problem), is_imported && 'Imported'].filter(Boolean).join(' · '),
      title: `${problem ? `${problemWords(problem)} ` : ''}Open it to see what can be done.`,
    };
  if (awaits_approval) return { words: 'Awaiting approval', title: AWAITS_APPROVAL };
  if (is_imported) return { words: 'Imported', title: 'Imported: no transaction of it was sent here.' };
  return null;
}
