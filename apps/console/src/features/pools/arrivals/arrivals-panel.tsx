import { useQuery } from '@tanstack/react-query';
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import { useMemo, useState } from 'react';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
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
  const query = useQuery(poolArrivalsQuery(pool, page));
  const { data } = query;
  const columns = useMemo(() => {
    const open = ({ id }: { id: string }) => setDecidedId(id);
    return arrivalColumns({ explorerUrl, onDecide: open, onUndo: open });
  }, [explorerUrl]);
  const total = data?.meta.total ?? 0;
  const decided = data?.data.find(({ id }) => id === decidedId);
  const undoable = decided && decided.state !== 'unexplained' && undoableOf(decided);
  return (
    <Panel title="Arrivals at the Proxy Wallet" flush count={data && total}>
      <PagedTable
        label="Arrivals, unexplained ones first"
        columns={columns}
        keyOf={({ id }) => id}
        what="arrivals"
        query={query}
        page={page}
        pageRows={POOL_PAGE_ROWS}
        onPage={setPage}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading arrivals..." />}
        empty={
          <MessagePanel
            icon={ArrowDownToLine}
            level={3}
            small
            title="No arrivals"
            text="What the owner withdraws from Bybit appears here, and whatever else reaches the proxy wallet."
          />
        }
      />
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
