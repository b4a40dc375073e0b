import { useState } from 'react';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Button } from '../../../ui/button.tsx';
import { payoutsWord, usdt } from '../payout-texts.ts';
import type { Distribution } from '../payouts-queries.ts';
import { DecideDialog, type Decision } from './decide-dialog.tsx';

interface AwaitingProps {
  awaiting: readonly Distribution[];
  communityId: string;
}

const SMALL = 'h-7! px-2.5! text-xs!';
const OWN = 'Another super admin has to approve what you asked for';

/** Distributions that a second person has to agree to. */
export function Awaiting({ awaiting, communityId }: AwaitingProps) {
  const [asked, setAsked] = useState<{ distribution: Distribution; decision: Decision } | null>(null);
  if (awaiting.length === 0) return null;
  return (
    <section
      aria-label="Waiting for approval"
      className="max-h-44 max-sm:max-h-38 shrink-0 overflow-y-auto border-b border-caution/30 bg-caution-soft px-4 py-2.5"
    >
      <h3 className="text-xs font-semibold text-caution">Waiting for approval</h3>
      <ul>
        {awaiting.map((distribution) => {
          const isOwn = distribution.is_own;
          const id = `own-${distribution.id}`;
          return (
            <li key={distribution.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-1.5">
              <p className="min-w-48 flex-1 tabular-nums">
                <strong className="font-semibold">{usdt(distribution.total_amount)}</strong> in{' '}
                {payoutsWord(distribution.operation_count)}, asked for by {distribution.requested_by},{' '}
                <time dateTime={distribution.created_at} title={fullTime(distribution.created_at)}>
                  {readTime(distribution.created_at)}
                </time>
                {isOwn && (
                  <span id={id} className="block text-xs">
                    {OWN}.
                  </span>
                )}
              </p>
              <span className="flex gap-1.5">
                <Button className={SMALL} onClick={() => setAsked({ distribution, decision: 'decline' })}>
                  Decline
                </Button>
                <Button
                  look="primary"
                  className={SMALL}
                  aria-disabled={isOwn}
                  aria-describedby={isOwn ? id : undefined}
                  title={isOwn ? OWN : undefined}
                  onClick={() => !isOwn && setAsked({ distribution, decision: 'approve' })}
                >
                  Approve
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      {asked && <DecideDialog {...asked} communityId={communityId} onClose={() => setAsked(null)} />}
    </section>
  );
}
