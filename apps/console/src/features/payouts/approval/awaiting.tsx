import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { WaitingList } from '../../../ui/form/waiting-list.tsx';
import { payoutsWord } from '../payout-texts.ts';
import type { Distribution } from '../payouts-queries.ts';
import { DecideRun } from '../runs/decide-run-dialog.tsx';
import { communitiesWord } from '../runs/run-texts.ts';
import type { PayoutRun } from '../runs/runs-queries.ts';
import { DecideDialog, type Decision } from './decide-dialog.tsx';

/** How far an order is that takes more than one approval. */
const approvalsWords = ({ needed, given_by: given }: Distribution['approvals']) =>
  needed > 1 &&
  `. Above the largest payout: ${given.length} of ${needed} approvals${given.length > 0 ? `, by ${given.join(' and ')}` : ''}`;

/** Whose distributions a run has, the largest first. */
const namesOf = ({ communities, community_count: count }: PayoutRun) => {
  const named = communities.slice(0, NAMED).map(({ name }) => name);
  return `${named.join(', ')}${count > named.length ? ` and ${formatCount(count - named.length)} more` : ''}`;
};
const NAMED = 3;

interface AwaitingProps {
  awaiting: readonly Distribution[];
  /** Those that are decided together. */
  runs?: readonly PayoutRun[];
  /** The total, when the list is incomplete. */
  total?: number | undefined;
  /** Outside its community: shows the community's name. */
  isNamed?: boolean;
  title?: string | undefined;
  /** Set when what waits could not be read. */
  failure?: { message: string; onRetry(): void } | undefined;
  /** A box of its own, not the head of another panel. */
  isBox?: boolean;
}

/** Distributions that wait for a second person's approval. */
export function Awaiting({ awaiting, runs = [], total, title, failure, isNamed, isBox }: AwaitingProps) {
  const [asked, setAsked] = useState<{ distribution: Distribution; decision: Decision } | null>(null);
  const [askedRun, setAskedRun] = useState<{ runId: string; decision: Decision } | null>(null);
  const ask = (distribution: Distribution, decision: Decision) => {
    if (distribution.run_id === null) setAsked({ distribution, decision });
    else setAskedRun({ runId: distribution.run_id, decision });
  };
  return (
    <>
      <WaitingList
        isBox={isBox}
        {...(title && { title })}
        failure={failure}
        total={total}
        items={[
          ...runs.map((run) => ({
            id: run.id,
            text: (
              <>
                <strong className="font-semibold">
                  <Money amount={run.total_amount} />
                </strong>{' '}
                in {payoutsWord(run.payout_count)} of {communitiesWord(run.community_count)}: {namesOf(run)},
                requested by {run.requested_by}, <When at={run.created_at} />
              </>
            ),
            refusal: run.approval_refusal?.message ?? null,
            decline: 'Decline' as const,
            onApprove: () => setAskedRun({ runId: run.id, decision: 'approve' }),
            onDecline: () => setAskedRun({ runId: run.id, decision: 'decline' }),
          })),
          ...awaiting.map((distribution) => ({
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
                {distribution.run_id !== null && '. It is decided together with the others of its payout run'}
              </>
            ),
            refusal: distribution.approval_refusal?.message ?? null,
            decline: 'Decline' as const,
            onApprove: () => ask(distribution, 'approve'),
            onDecline: () => ask(distribution, 'decline'),
          })),
        ]}
      />
      {asked && <DecideDialog {...asked} onClose={() => setAsked(null)} />}
      {askedRun && <DecideRun {...askedRun} onClose={() => setAskedRun(null)} />}
    </>
  );
}
