import { formatCount, shortId } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../lib/api-error.ts';
import { AWAITS_APPROVAL, problemWords, waitWords } from '../../../lib/payout-problem-words.ts';
import { exactUsdt, formatUsdt, typeWords } from '../../../lib/payout-words.ts';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Fact } from '../../../ui/fact.tsx';
import { PayoutStatus } from '../../../ui/payout-status.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { PayoutActs } from '../acts/payout-acts.tsx';
import { RecipientAddress } from '../recipient-address.tsx';
import { sweepsProblem } from '../sweeps-problem.ts';
import { type SweepDetail, sweepQuery } from '../sweeps-queries.ts';
import { PanelSkeleton } from './panel-skeleton.tsx';
import { Payables } from './payables.tsx';
import { remedyWords } from './problem-words.ts';
import { Section } from './section.tsx';
import { Steps } from './steps.tsx';
import { Transfers } from './transfers.tsx';

/** What every payout waits for on its way. */
const isUsual = (reason: string) => reason === 'in_turn' || reason === 'not_final';

interface SweepPanelProps {
  id: string;
  /** Super admins see what happens on chain, and may retry and cancel. */
  isSuper: boolean;
  explorerUrl: string;
  onClose(): void;
}

function Figures({ sweep, isSuper }: { sweep: SweepDetail; isSuper: boolean }) {
  return (
    <dl className="px-4 py-1 tabular-nums">
      <Fact label={isSuper ? 'Amount' : 'Amount, your part'}>
        <span title={exactUsdt(sweep.total_amount)}>
          <span className="font-semibold">{formatUsdt(sweep.total_amount)}</span> USDT
        </span>
      </Fact>
      <Fact label="Recipient type">
        <span className="inline-block first-letter:uppercase">{typeWords(sweep.recipient_type)}</span>
      </Fact>
      <Fact label="Recipient address">
        <RecipientAddress address={sweep.recipient_address} />
      </Fact>
      <Fact label="Community">{sweep.community?.name ?? 'Not in your scope'}</Fact>
      <Fact label="Last change">
        <time dateTime={sweep.updated_at} title={fullTime(sweep.updated_at)}>
          {readTime(sweep.updated_at)}
        </time>
      </Fact>
    </dl>
  );
}

/** A payout beside the list: how far it came, and which shares of invoices it pays. */
export function SweepPanel({ id, isSuper, explorerUrl, onClose }: SweepPanelProps) {
  const { data: sweep, error, refetch } = useQuery(sweepQuery(id));
  const isMissing = error instanceof ApiError && error.status === 404;
  const problem = isMissing
    ? { title: 'Payout not found', message: 'It may not exist, or you may not have access to it.' }
    : sweepsProblem(error);
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
          {sweep && <PayoutStatus status={sweep.status} />}
          {sweep?.is_imported && (
            <span className="ml-2 text-xs text-muted" title="Imported: no transaction of it was sent here.">
              Imported
            </span>
          )}
        </span>
      }
      onClose={onClose}
    >
      <QueryState
        small
        error={error && !sweep ? problem : null}
        onRetry={() => void refetch()}
        isLoading={!sweep}
        loading={<PanelSkeleton />}
        isEmpty={false}
        empty={null}
      >
        {sweep && (
          <>
            <Figures sweep={sweep} isSuper={isSuper} />
            {(sweep.problem || sweep.status === 'failed') && (
              <p className="mx-4 mb-2 rounded-md bg-caution-soft px-3 py-2 text-caution">
                {sweep.problem ? problemWords(sweep.problem) : 'Why it failed is not on record.'}{' '}
                {sweep.status === 'failed' && remedyWords(sweep, isSuper)}
              </p>
            )}
            {sweep.awaits_approval && (
              <p className="mx-4 mb-2 rounded-md bg-caution-soft px-3 py-2 text-caution">{AWAITS_APPROVAL}</p>
            )}
            {isSuper && sweep.waits_for && (
              <p
                className={`mx-4 mb-2 rounded-md px-3 py-2 ${isUsual(sweep.waits_for.reason) ? 'bg-subtle text-muted' : 'bg-caution-soft text-caution'}`}
              >
                {waitWords(sweep.waits_for)} Waiting since {readTime(sweep.waits_for.since)}.
              </p>
            )}
            {isSuper && <PayoutActs sweep={sweep} />}
            <Section title="Steps">
              <Steps steps={sweep.steps} explorerUrl={explorerUrl} />
            </Section>
            {isSuper && (
              <Section
                title="Transfers"
                note={`${formatCount(sweep.transfer_count)} ${sweep.transfer_count === 1 ? 'transfer' : 'transfers'}`}
              >
                <Transfers sweep={sweep} explorerUrl={explorerUrl} />
              </Section>
            )}
            <Section
              title="What it pays"
              note={`${formatCount(sweep.payable_count)} ${sweep.payable_count === 1 ? 'share' : 'shares'}`}
            >
              <Payables sweep={sweep} />
            </Section>
          </>
        )}
      </QueryState>
    </SidePanel>
  );
}
