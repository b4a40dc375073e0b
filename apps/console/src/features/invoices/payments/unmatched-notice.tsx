import { useQuery } from '@tanstack/react-query';
import HandCoins from 'lucide-react/icons/hand-coins';
import { useState } from 'react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { UnmatchedDialog } from './unmatched-dialog.tsx';
import { unmatchedTotalsQuery } from './unmatched-query.ts';
import { waitingWords } from './unmatched-words.ts';

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
            <Button look="quiet" className="-my-1 -mr-2 h-7! text-accent!" onClick={() => setOpen(true)}>
              Show
            </Button>
          }
        />
      )}
      {isOpen && <UnmatchedDialog explorerUrl={explorerUrl} onClose={() => setOpen(false)} />}
    </>
  );
}
