import { useState } from 'react';
import { Button } from '../../../../ui/form/button.tsx';
import type { PayoutDetail } from '../history-queries.ts';
import { resendLabel } from '../panel/problem-texts.ts';
import { PayoutActDialog } from './act-dialogs.tsx';
import { offeredActs, type PayoutAct } from './offered-acts.ts';

/** The actions available for a payout now, each with a confirmation. For super admins. */
export function PayoutActs({ payout }: { payout: PayoutDetail }) {
  const [asked, setAsked] = useState<PayoutAct | null>(null);
  const offered = offeredActs(payout);
  const labels: Record<PayoutAct, string> = { retry: 'Retry', resend: resendLabel(payout), cancel: 'Cancel' };
  return (
    <>
      {offered.length > 0 && (
        <div className="flex flex-wrap gap-2 border-t border-line px-4 py-2.5">
          {offered.map((act) => (
            <Button key={act} look={act === 'cancel' ? 'danger' : undefined} onClick={() => setAsked(act)}>
              {labels[act]}
            </Button>
          ))}
        </div>
      )}
      {asked && <PayoutActDialog payout={payout} act={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
