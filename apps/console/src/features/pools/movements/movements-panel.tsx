import { useQuery } from '@tanstack/react-query';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
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
  const { data, error, refetch, isPlaceholderData } = useQuery(poolMovementsQuery(pool, page));
  const columns = useMemo(() => {
    const open = ({ id }: { id: string }) => setOpenId(id);
    return movementColumns({ explorerUrl, onLink: open, onUndo: open });
  }, [explorerUrl]);
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: POOL_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  const movement = data?.data.find(({ id }) => id === openId);
  const { arrival, decision } = movement ?? {};
  const close = () => setOpenId(null);
  return (
    <Panel title="Deposits and Withdrawals at Bybit" flush count={data && total}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The movements could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading movements..." />}
        isEmpty={total === 0}
        empty={
          <MessagePanel
            icon={ArrowLeftRight}
            level={3}
            small
            title="No movements"
            text="Deposits and withdrawals that Bybit lists appear here, beside their transfers on chain."
          />
        }
      >
        <PlainTable
          label="Deposits and withdrawals at Bybit, newest first"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id, kind }) => `${kind} ${id}`}
          isStale={isPlaceholderData}
        />
        {total > POOL_PAGE_ROWS && (
          <Pager page={page} pageRows={POOL_PAGE_ROWS} total={total} onChange={setPage} />
        )}
      </QueryState>
      {movement && arrival && !decision && (
        <LinkDialog pool={pool} movement={movement} arrival={arrival} onClose={close} />
      )}
      {arrival && decision && (
        <UndoDialog pool={pool} arrivalId={arrival.id} decisionId={decision.id} onClose={close} />
      )}
    </Panel>
  );
}
