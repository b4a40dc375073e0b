import { useQuery } from '@tanstack/react-query';
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { ListSkeleton } from '../pool/list-skeleton.tsx';
import { POOL_PAGE_ROWS, type PooledAccount, poolArrivalsQuery } from '../pools-queries.ts';
import { arrivalColumns } from './arrival-columns.tsx';
import { undoableOf } from './arrival-texts.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { UndoDialog } from './undo-dialog.tsx';

const EXPECTED = 2;

interface ArrivalsPanelProps {
  pool: PooledAccount;
  explorerUrl: string;
}

/** What arrived at the proxy wallet of a pool from elsewhere, and what people decide about it. For super admins. */
export function ArrivalsPanel({ pool, explorerUrl }: ArrivalsPanelProps) {
  const [page, setPage] = useState(1);
  const [decidedId, setDecidedId] = useState<string | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery(poolArrivalsQuery(pool, page));
  const columns = useMemo(() => {
    const open = ({ id }: { id: string }) => setDecidedId(id);
    return arrivalColumns({ explorerUrl, onDecide: open, onUndo: open });
  }, [explorerUrl]);
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: POOL_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  const decided = data?.data.find(({ id }) => id === decidedId);
  const undoable = decided && decided.state !== 'unexplained' && undoableOf(decided);
  return (
    <Panel title="Arrivals at the Proxy Wallet" flush count={data && total}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The arrivals could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading arrivals..." />}
        isEmpty={total === 0}
        empty={
          <MessagePanel
            icon={ArrowDownToLine}
            level={3}
            small
            title="No arrivals"
            text="What the owner withdraws from Bybit appears here, and whatever else reaches the proxy wallet."
          />
        }
      >
        <PlainTable
          label="Arrivals, unexplained ones first"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
        {total > POOL_PAGE_ROWS && (
          <Pager page={page} pageRows={POOL_PAGE_ROWS} total={total} onChange={setPage} />
        )}
      </QueryState>
      {decided && undoable && (
        <UndoDialog
          pool={pool}
          arrivalId={decided.id}
          decisionId={undoable.id}
          onClose={() => setDecidedId(null)}
        />
      )}
      {data && decided?.state === 'unexplained' && (
        <DecideDialog
          pool={pool}
          arrival={decided}
          resolvable={data.meta.resolvable}
          onClose={() => setDecidedId(null)}
        />
      )}
    </Panel>
  );
}
