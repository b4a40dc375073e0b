import { useQuery } from '@tanstack/react-query';
import HandCoins from 'lucide-react/icons/hand-coins';
import { useState } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { UnmatchedDialog } from './unmatched-dialog.tsx';
import { type UnmatchedPage, unmatchedTotalsQuery } from './unmatched-query.ts';

/** Reports unmatched payments while there are any. For super admins. */
export function UnmatchedNotice({ explorerUrl }: { explorerUrl: string }) {
  const { data: totals } = useQuery(unmatchedTotalsQuery);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {totals && totals.total > 0 && (
        <Notice
          tone="neutral"
          icon={HandCoins}
          isBox
          title={waitingWords(totals)}
          actions={
            <Button look="quiet" className="-my-1 -me-2 h-7! text-accent!" onClick={() => setOpen(true)}>
              Show
            </Button>
          }
        />
      )}
      {isOpen && <UnmatchedDialog explorerUrl={explorerUrl} onClose={() => setOpen(false)} />}
    </>
  );
}

const payments = (count: number) => (count === 1 ? '1 payment' : `${formatCount(count)} payments`);

/** The unmatched payments, in a sentence. */
export function waitingWords({ waiting, total_amount, returning }: UnmatchedPage['meta']): string {
  const sentBack = `${payments(returning)} ${returning === 1 ? 'is' : 'are'} being sent back`;
  if (waiting === 0) return sentBack;
  const wait = `${payments(waiting)} of ${formatUsdt(total_amount)} USDT ${waiting === 1 ? 'waits' : 'wait'} for an invoice`;
  return returning === 0 ? wait : `${wait}, ${sentBack}`;
}
