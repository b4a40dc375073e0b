import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { WaitingList } from '../../../ui/form/waiting-list.tsx';
import { payoutsWord } from '../payout-texts.ts';
import type { Distribution } from '../payouts-queries.ts';
import { DecideDialog, type Decision } from './decide-dialog.tsx';

/** How far an order is that takes more than one approval. */
const approvalsWords = ({ needed, given_by: given }: Distribution['approvals']) =>
  needed > 1 &&
  `. Above the largest payout: ${given.length} of ${needed} approvals${given.length > 0 ? `, by ${given.join(' and ')}` : ''}`;

interface AwaitingProps {
  awaiting: readonly Distribution[];
  /** The total, when the list is incomplete. */
  total?: number | undefined;
  /** Outside its community: shows the community's name. */
  isNamed?: boolean;
  /** A box of its own, not the head of another panel. */
  isBox?: boolean;
}

/** Distributions that wait for a second person's approval. */
export function Awaiting({ awaiting, total, isNamed, isBox }: AwaitingProps) {
  const [asked, setAsked] = useState<{ distribution: Distribution; decision: Decision } | null>(null);
  return (
    <>
      <WaitingList
        isBox={isBox}
        total={total}
        items={awaiting.map((distribution) => ({
          id: distribution.id,
          text: (
            <>
              <strong className="font-semibold">
                <Money amount={distribution.total_amount} />
              </strong>{' '}
              in {payoutsWord(distribution.payout_count)}
              {isNamed && (
                <>
                  {' '}
                  of{' '}
                  <Link
                    to="/community-settings/$communityId"
                    params={{ communityId: distribution.community.id }}
                    search={{ tab: 'money' }}
                    className="rounded font-medium underline decoration-caution/50 hover:text-accent"
                  >
                    {distribution.community.name}
                  </Link>
                </>
              )}
              , requested by {distribution.requested_by}, <When at={distribution.created_at} />
              {approvalsWords(distribution.approvals)}
            </>
          ),
          refusal: distribution.approval_refusal?.message ?? null,
          decline: 'Decline',
          onApprove: () => setAsked({ distribution, decision: 'approve' }),
          onDecline: () => setAsked({ distribution, decision: 'decline' }),
        }))}
      />
      {asked && <DecideDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}
