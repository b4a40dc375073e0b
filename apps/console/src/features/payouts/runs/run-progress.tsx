import { useQuery } from '@tanstack/react-query';
import Clock from 'lucide-react/icons/clock';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { payoutsWord } from '../payout-texts.ts';
import { type RunDetail, runQuery } from './runs-queries.ts';

type Part = RunDetail['distributions'][number];

/** The distributions of a run, each of which goes on alone once it is approved. */
export function RunProgress({ runId, onClose }: { runId: string; onClose(): void }) {
  const { data, error, refetch } = useQuery(runQuery(runId));
  return (
    <>
      <DialogBody>
        <QueryState
          small
          error={error && !data ? { title: 'The run could not be loaded', message: messageOf(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<Loading text="Reading the payouts..." />}
          isEmpty={false}
          empty={null}
        >
          {data && <Progress {...data} />}
        </QueryState>
      </DialogBody>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFoot>
    </>
  );
}

function Progress({ run, distributions }: RunDetail) {
  const { distributed, failed, under_way: underWay } = run.payouts;
  return (
    <>
      {run.state === 'awaiting_approval' && (
        <Notice tone="caution" icon={Clock} title="Waiting for another super admin">
          <Money amount={run.total_amount} /> is reserved. Nothing is sent until it is approved.
        </Notice>
      )}
      <div className="flex shrink-0 flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
        <p role="status" className="font-medium tabular-nums">
          {`${formatCount(distributed)} of ${payoutsWord(run.payout_count)} distributed${failed > 0 ? `, ${formatCount(failed)} failed` : ''}`}
        </p>
        <p className="text-xs text-muted">
          {run.state === 'approved' && underWay > 0
            ? 'You can close this window. Payouts continue, and a message appears when they are done.'
            : 'You can close this window.'}
        </p>
      </div>
      <div className="min-h-0 overflow-y-auto">
        <PlainTable
          label="Distributions of the run"
          columns={COLUMNS}
          rows={distributions}
          keyOf={(part) => part.id}
        />
      </div>
    </>
  );
}

const historyOf = ({ id }: Part, status?: 'distributed' | 'failed') =>
  ({ to: '/transaction-history', search: { distribution: id, ...(status && { status }) } }) as const;

const COLUMNS: readonly PlainColumn<Part>[] = [
  {
    id: 'community',
    header: 'Community',
    width: '46%',
    onCard: 'lead',
    cell: ({ community: { id, name } }) => (
      <bdi className="block truncate" title={name}>
        <Name
          to={{
            to: '/community-settings/$communityId',
            params: { communityId: id },
            search: { tab: 'money' },
          }}
        >
          {name}
        </Name>
      </bdi>
    ),
  },
  {
    id: 'payouts',
    header: 'Payouts',
    width: '32%',
    onCard: 'line',
    cell: (part) => {
      const { distributed, failed } = part.payouts;
      return (
        <>
          <Count n={distributed} to={historyOf(part, 'distributed')} /> of{' '}
          <Count n={part.payout_count} to={historyOf(part)} /> distributed
          {failed > 0 && (
            <span className="text-negative">
              , <Count n={failed} to={historyOf(part, 'failed')} /> failed
            </span>
          )}
        </>
      );
    },
  },
  {
    id: 'amount',
    header: 'Amount (USDT)',
    width: '22%',
    align: 'end',
    onCard: 'end',
    cell: ({ total_amount }) => <Money amount={total_amount} as="bareCents" className="font-medium" />,
  },
];
