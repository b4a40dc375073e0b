import { useQuery } from '@tanstack/react-query';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import { useMemo, useState } from 'react';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import { UndoDialog } from '../arrivals/undo-dialog.tsx';
import { ListSkeleton } from '../pool/list-skeleton.tsx';
import { POOL_PAGE_ROWS, type PooledAccount, poolMovementsQuery } from '../pools-queries.ts';
import { LinkDialog } from './link-dialog.tsx';
import { movementColumns } from './movement-columns.tsx';

const EXPECTED = 2;

interface MovementsPanelProps {
  pool: PooledAccount;
  explorerUrl: string;
}

/** What Bybit lists for a pool, beside what belongs to it on chain. For super admins. */
export function MovementsPanel({ pool, explorerUrl }: MovementsPanelProps) {
  const [page, setPage] = useState(1);
  const [openId, setOpenId] = useState<string | null>(null);
  const query = useQuery(poolMovementsQuery(pool, page));
  const { data } = query;
  const columns = useMemo(() => {
    const open = ({ id }: { id: string }) => setOpenId(id);
    return movementColumns({ explorerUrl, onLink: open, onUndo: open });
  }, [explorerUrl]);
  const total = data?.meta.total ?? 0;
  const movement = data?.data.find(({ id }) => id === openId);
  const { arrival, decision } = movement ?? {};
  const close = () => setOpenId(null);
  return (
    <Panel title="Deposits and Withdrawals at Bybit" flush count={data && total}>
      <PagedTable
        label="Deposits and withdrawals at Bybit, newest first"
        columns={columns}
        keyOf={({ id, kind }) => `${kind} ${id}`}
        what="movements"
        query={query}
        page={page}
        pageRows={POOL_PAGE_ROWS}
        onPage={setPage}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading movements..." />}
        empty={
          <MessagePanel
            icon={ArrowLeftRight}
            level={3}
            small
            title="No movements"
            text="Deposits and withdrawals that Bybit lists appear here, beside their transfers on chain."
          />
        }
      />
      {movement && arrival && !decision && (
        <LinkDialog pool={pool} movement={movement} arrival={arrival} onClose={close} />
      )}
      {arrival && decision && (
        <UndoDialog pool={pool} arrivalId={arrival.id} decisionId={decision.id} onClose={close} />
      )}
    </Panel>
  );
}
