import { formatCount } from '@copydesk/domain';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { payoutsWord, usdt } from '../payout-texts.ts';
import type { Distribution } from '../payouts-queries.ts';
import { DecideDialog, type Decision } from './decide-dialog.tsx';

interface AwaitingProps {
  awaiting: readonly Distribution[];
  /** The total, when the list is incomplete. */
  total?: number;
  /** Outside its community: shows the community's name. */
  isNamed?: boolean;
  /** A box of its own, not the head of another panel. */
  isBox?: boolean;
}

const SMALL = 'h-7! px-2.5! text-xs!';

/** Distributions that wait for a second person's approval. */
export function Awaiting({ awaiting, total = awaiting.length, isNamed, isBox }: AwaitingProps) {
  const [asked, setAsked] = useState<{ distribution: Distribution; decision: Decision } | null>(null);
  const Heading = isBox ? 'h2' : 'h3';
  if (awaiting.length === 0) return null;
  return (
    <section
      aria-label="Waiting for approval"
      className={clsx(
        'max-h-44 max-sm:max-h-38 shrink-0 overflow-y-auto border-caution/30 bg-caution-soft px-4 py-2.5',
        isBox ? 'rounded-lg border' : 'border-b',
      )}
    >
      <Heading className="text-xs font-semibold text-caution">
        Waiting for approval: {formatCount(total)}
        {total > awaiting.length && `, the newest ${formatCount(awaiting.length)} shown`}
      </Heading>
      <ul>
        {awaiting.map((distribution) => {
          const refusal = distribution.approval_refusal;
          const id = `refusal-${distribution.id}`;
          return (
            <li key={distribution.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-1.5">
              <p className="min-w-48 flex-1 tabular-nums">
                <strong className="font-semibold">{usdt(distribution.total_amount)}</strong> in{' '}
                {payoutsWord(distribution.payout_count)}
                {isNamed && (
                  <>
                    {' '}
                    of{' '}
                    <Link
                      to="/community-settings/$communityId"
                      params={{ communityId: distribution.community.id }}
                      className="rounded font-medium underline decoration-caution/50 hover:text-accent"
                    >
                      {distribution.community.name}
                    </Link>
                  </>
                )}
                , requested by {distribution.requested_by},{' '}
                <time dateTime={distribution.created_at} title={fullTime(distribution.created_at)}>
                  {readTime(distribution.created_at)}
                </time>
                {refusal && (
                  <span id={id} className="block text-xs">
                    {refusal.message.replace(/\.?$/, '.')}
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
                  aria-disabled={refusal !== null}
                  aria-describedby={refusal ? id : undefined}
                  title={refusal?.message}
                  onClick={() => !refusal && setAsked({ distribution, decision: 'approve' })}
                >
                  Approve
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      {asked && <DecideDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}
