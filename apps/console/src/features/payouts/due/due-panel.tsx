import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { DistributeDialog } from '../distribute/distribute-dialog.tsx';
import { type DueOfCommunity, dueQuery } from '../payouts-queries.ts';
import { dueColumns } from './due-columns.tsx';

/** What each community owes its recipients, the largest first, each paid where it stands. */
export function DuePanel() {
  const { data, error, refetch } = useQuery(dueQuery);
  const [paid, setPaid] = useState<DueOfCommunity['community'] | null>(null);
  const columns = useMemo(() => dueColumns(setPaid), []);
  useAsOf(data?.meta.totals_at);
  const rows = data?.data;
  return (
    <>
      <Panel
        title="Communities"
        count={rows?.length}
        flush
        note={
          data &&
          data.meta.count > 0 && (
            <span>
              <Money amount={data.meta.amount} as="cents" /> in{' '}
              <Count n={data.meta.count} of={['share', 'shares']} plain="The rows add up to them" />
            </span>
          )
        }
      >
        <QueryState
          error={
            error && !data ? { title: 'What is owed could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={!data && !error}
          loading={<SkeletonTable columns={columns} rows={6} />}
          isEmpty={rows?.length === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              title="Nothing to pay out"
              text="Shares of invoices appear here once the invoices are paid."
            />
          }
        >
          <PlainTable
            label="Communities with shares to pay out, the largest first"
            columns={columns}
            rows={rows ?? []}
            keyOf={({ community }) => community.id}
            dimmedOf={({ community }) => community.is_archived}
          />
        </QueryState>
      </Panel>
      {paid && <DistributeDialog community={paid} onClose={() => setPaid(null)} />}
    </>
  );
}
