import { formatCount } from '@copydesk/domain';
import { useNavigate } from '@tanstack/react-router';
import Coins from 'lucide-react/icons/coins';
import { messageOf } from '../../../lib/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { ReadAt } from '../../../ui/feedback/read-at.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PlainTable } from '../../../ui/plain-table/plain-table.tsx';
import type { PooledAccount } from '../pools-queries.ts';
import { HarvestPanel } from './harvest-panel.tsx';
import { HarvestSkeleton } from './harvest-skeleton.tsx';
import { poolColumns } from './pool-columns.tsx';
import { PoolsSkeleton } from './pools-skeleton.tsx';

interface PoolsSectionProps {
  /** The active pools; undefined until known. */
  pools: readonly PooledAccount[] | undefined;
  /** When they were read, in ms. */
  readAt: number;
  /** Of the last read. Older data stays on screen. */
  error: unknown;
  onRetry(): void;
}

/** The global harvest control and the pools of the Super Admin Dashboard. */
export function PoolsSection({ pools, readAt, error, onRetry }: PoolsSectionProps) {
  const navigate = useNavigate();
  const hasPools = pools !== undefined && pools.length > 0;
  const isLoading = pools === undefined && !error;
  return (
    <>
      {isLoading && <HarvestSkeleton />}
      {hasPools && <HarvestPanel pools={pools} isAvailable={!error} />}
      <Panel
        title="Pooled Trading Accounts"
        flush
        {...(hasPools && {
          count: formatCount(pools.length),
          note: <ReadAt at={new Date(readAt).toISOString()} />,
        })}
      >
        <QueryState
          small
          error={
            error && pools === undefined
              ? { title: 'The pooled accounts could not be loaded', message: messageOf(error) }
              : null
          }
          onRetry={onRetry}
          isLoading={isLoading}
          loading={<PoolsSkeleton />}
          isEmpty={pools?.length === 0}
          empty={
            <MessagePanel
              icon={Coins}
              level={3}
              small
              title="No pooled accounts found"
              text="Pooled accounts will appear here once they are created."
            />
          }
        >
          <PlainTable
            label="Pooled Trading Accounts"
            columns={poolColumns}
            rows={pools ?? []}
            keyOf={({ id }) => id}
            onOpen={({ id: poolId }) =>
              void navigate({ to: '/pools/$poolId', params: { poolId }, state: { fromDashboard: true } })
            }
          />
        </QueryState>
      </Panel>
    </>
  );
}
