import { shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../../../lib/api/api-error.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { AWAITS_APPROVAL, problemWords, waitWords } from '../../../../lib/format/payout-problem-texts.ts';
import { typeWords } from '../../../../lib/format/payout-texts.ts';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { Name } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { PanelSection } from '../../../../ui/layout/panel-section.tsx';
import { PanelSkeleton } from '../../../../ui/layout/panel-skeleton.tsx';
import { SidePanel } from '../../../../ui/layout/side-panel.tsx';
import { PayoutActs } from '../acts/payout-acts.tsx';
import { payoutsProblem } from '../history-problem.ts';
import { type PayoutDetail, payoutQuery } from '../history-queries.ts';
import { PayoutStatusBadge } from '../payout-status-badge.tsx';
import { RecipientAddress } from '../recipient-address.tsx';
import { Payables } from './payables.tsx';
import { remedyWords } from './problem-texts.ts';
import { Transfers } from './transfers.tsx';

/** Every payout waits for these on its way. */
const isUsual = (reason: string) => reason === 'in_turn' || reason === 'not_final';

interface PayoutPanelProps {
  id: string;
  /** What people wrote about it. */
  notes: ReactNode;
  /** What happened to it, and what comes next. */
  timeline: ReactNode;
  /** Super admins see the transfers on chain, and may retry and cancel. */
  isSuper: boolean;
  explorerUrl: string;
  onClose(): void;
}

function Figures({ payout, isSuper }: { payout: PayoutDetail; isSuper: boolean }) {
  return (
    <Facts className="px-4 py-1">
      <Fact label={isSuper ? 'Amount' : 'Amount, your part'}>
        <span>
          <Money amount={payout.total_amount} as="bare" className="font-semibold" /> USDT
        </span>
      </Fact>
      <Fact label="Recipient type">
        <span className="inline-block first-letter:uppercase">{typeWords(payout.recipient_type)}</span>
      </Fact>
      <Fact label="Recipient address">
        <RecipientAddress address={payout.recipient_address} />
      </Fact>
      <Fact label="Community">
        {payout.community && isSuper ? (
          <Name to={{ to: '/community-settings/$communityId', params: { communityId: payout.community.id } }}>
            {payout.community.name}
          </Name>
        ) : (
          <Name plain="Only super admins open a community">
            {payout.community?.name ?? 'Not in your scope'}
          </Name>
        )}
      </Fact>
      <Fact label="Last change">
        <When at={payout.updated_at} />
      </Fact>
    </Facts>
  );
}

function SuccessorLink({ id }: { id: string }) {
  return (
    <Link to="/transaction-history" search={{ payout: id }} className="rounded font-medium underline">
      Payout <span className="font-mono">{shortId(id)}</span>
    </Link>
  );
}

/** A payout beside the list: its progress, and the invoice shares that it pays. */
export function PayoutPanel({ id, isSuper, notes, timeline, explorerUrl, onClose }: PayoutPanelProps) {
  const { data: payout, error, refetch } = useQuery(payoutQuery(id));
  const isMissing = error instanceof ApiError && error.status === 404;
  const problem = isMissing
    ? { title: 'Payout not found', message: 'It may not exist, or you may not have access to it.' }
    : payoutsProblem(error);
  return (
    <SidePanel
      label={`Payout ${shortId(id)}`}
      title={
        <h2>
          Payout <span className="font-mono text-sm font-medium">{shortId(id)}</span>
        </h2>
      }
      head={
        <span className="mt-0.5 flex h-6 items-center">
          {payout && <PayoutStatusBadge status={payout.status} />}
          {payout?.is_imported && (
            <span className="ms-2 text-xs text-muted" title="Imported: no transaction of it was sent here.">
              Imported
            </span>
          )}
        </span>
      }
      onClose={onClose}
    >
      <QueryState
        small
        error={error && !payout ? problem : null}
        onRetry={() => void refetch()}
        isLoading={!payout}
        loading={<PanelSkeleton text="Loading payout..." />}
        isEmpty={false}
        empty={null}
      >
        {payout && (
          <>
            <Figures payout={payout} isSuper={isSuper} />
            {(payout.problem || payout.status === 'failed') && (
              <p className="mx-4 mb-2 rounded-md bg-caution-soft px-3 py-2 text-caution">
                {payout.problem ? problemWords(payout.problem) : 'Why it failed is not on record.'}{' '}
                {payout.replaced_by && <SuccessorLink id={payout.replaced_by} />}
                {payout.status === 'failed' && remedyWords(payout, isSuper)}
              </p>
            )}
            {payout.awaits_approval && (
              <p className="mx-4 mb-2 rounded-md bg-caution-soft px-3 py-2 text-caution">{AWAITS_APPROVAL}</p>
            )}
            {isSuper && payout.waits_for && (
              <p
                className={`mx-4 mb-2 rounded-md px-3 py-2 ${isUsual(payout.waits_for.reason) ? 'bg-subtle text-muted' : 'bg-caution-soft text-caution'}`}
              >
                {waitWords(payout.waits_for)} Waiting since <When at={payout.waits_for.since} />.
              </p>
            )}
            {isSuper && <PayoutActs payout={payout} />}
            {notes}
            {timeline}
            {isSuper && (
              <PanelSection
                title="Transfers"
                note={`${formatCount(payout.transfer_count)} ${payout.transfer_count === 1 ? 'transfer' : 'transfers'}`}
              >
                <Transfers payout={payout} explorerUrl={explorerUrl} />
              </PanelSection>
            )}
            <PanelSection
              title="What it pays"
              {...(payout.replaced_by === null && {
                note: `${formatCount(payout.payable_count)} ${payout.payable_count === 1 ? 'share' : 'shares'}`,
              })}
            >
              {payout.replaced_by ? (
                <p className="text-muted">
                  Its shares were ordered again with <SuccessorLink id={payout.replaced_by} />
                </p>
              ) : (
                <Payables payout={payout} />
              )}
            </PanelSection>
          </>
        )}
      </QueryState>
    </SidePanel>
  );
}
