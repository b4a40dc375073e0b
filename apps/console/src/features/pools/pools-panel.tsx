import { searchedText } from '@copydesk/domain/text';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import Coins from 'lucide-react/icons/coins';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, type ReactNode, useCallback } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { useReadAt } from '../../lib/live/old-readings.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { DebouncedSearchBox } from '../../ui/form/filters/debounced-search-box.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { FilterControls } from '../../ui/list/filter-controls.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { needsAction } from './harvest-texts.ts';
import { lastReadOf } from './last-read.ts';
import { poolColumns } from './pool-columns.tsx';
import type { PooledAccount } from './pools-queries.ts';
import { type PoolsFilters, poolsList } from './pools-search.ts';

export interface PoolsPanelProps {
  /** The active pools; undefined until known. */
  pools: readonly PooledAccount[] | undefined;
  /** When they were read, in ms. */
  readAt: number;
  /** Of the last read. Older data stays on screen. */
  error: unknown;
  onRetry(): void;
  /** Beside the title: saved views, and connecting pools for those who may. */
  actions?: ReactNode;
  filters: PoolsFilters;
  onChange(change: PoolsFilters, how?: { replace: boolean }): void;
  arrangement?: ComponentProps<typeof PlainTable>['arrangement'];
}

/** The pooled accounts in scope. A row opens the page of its pool. */
export function PoolsPanel({ pools, readAt, error, onRetry, actions, ...list }: PoolsPanelProps) {
  const { filters, onChange, arrangement } = list;
  const navigate = useNavigate();
  const changeText = useCallback(
    (text: string | undefined) => onChange({ search: text }, { replace: true }),
    [onChange],
  );
  const hasPools = pools !== undefined && pools.length > 0;
  useAsOf(hasPools ? new Date(readAt).toISOString() : null, 'Pools');
  useReadAt(lastReadOf(pools ?? []).oldestAt, 'Bybit balances');
  const found = narrowPools(pools ?? [], filters);
  const isNarrowed = hasPools && Object.values(filters).some((value) => value !== undefined);
  return (
    <Panel
      title="Pooled Trading Accounts"
      flush
      actions={
        <>
          {hasPools && (
            <>
              <DebouncedSearchBox
                label="Search pools by community"
                placeholder="Community"
                value={filters.search ?? ''}
                onChange={changeText}
              />
              <FilterControls filters={poolsList.filters} values={filters} sources={{}} onChange={onChange} />
            </>
          )}
          {actions}
        </>
      }
      {...(hasPools && {
        count: isNarrowed
          ? `${formatCount(found.length)} of ${formatCount(pools.length)}`
          : formatCount(pools.length),
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
        isLoading={pools === undefined && !error}
        loading={<PoolsSkeleton />}
        isEmpty={pools !== undefined && found.length === 0}
        empty={
          isNarrowed ? (
            <MessagePanel
              icon={SearchX}
              level={3}
              small
              title="No pooled accounts match"
              text={
                filters.search && !filters.action
                  ? `No community with a pool has "${filters.search}" in its name.`
                  : 'Change the search or the filters.'
              }
            />
          ) : (
            <MessagePanel
              icon={Coins}
              level={3}
              small
              title="No pooled accounts found"
              text="Pooled accounts will appear here once they are created."
            />
          )
        }
      >
        <PlainTable
          label="Pooled Trading Accounts"
          columns={poolColumns}
          rows={found}
          keyOf={({ id }) => id}
          arrangement={arrangement}
          onOpen={({ id: poolId }) =>
            void navigate({ to: '/pools/$poolId', params: { poolId }, state: { fromDashboard: true } })
          }
        />
      </QueryState>
    </Panel>
  );
}

const ROWS = 4;
/** The lines of a cell. */
const LINES: Record<string, readonly string[]> = {
  community: ['w-32', 'w-14'],
  status: ['w-20', 'w-64'],
  balances: ['w-56', 'w-64', 'w-44'],
  traders: ['w-6'],
};

/** The pools before they are loaded. */
function PoolsSkeleton() {
  return (
    <SkeletonTable
      columns={poolColumns}
      rows={ROWS}
      cellOf={({ id, align }) => (
        <span className={clsx('flex flex-col py-1.5', align && 'items-end')}>
          {LINES[id]?.map((width) => (
            <span key={width} className="flex h-4.5 max-w-full items-center">
              <span className={clsx('skeleton h-3 max-w-full', width)} />
            </span>
          ))}
        </span>
      )}
    />
  );
}

/** The pools that match. All of them are in the browser. */
function narrowPools(
  pools: readonly PooledAccount[],
  { search: text, action }: PoolsFilters,
): readonly PooledAccount[] {
  const wanted = searchedText(text ?? '').toLowerCase();
  return pools.filter(
    ({ community, current_harvest_cycle: { status } }) =>
      community.name.toLowerCase().includes(wanted) &&
      (action === undefined || String(needsAction(status)) === action),
  );
}
