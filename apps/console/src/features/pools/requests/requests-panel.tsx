import { useQuery } from '@tanstack/react-query';
import ListChecks from 'lucide-react/icons/list-checks';
import { useMemo, useState } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import { ListSkeleton } from '../pool/list-skeleton.tsx';
import { POOL_PAGE_ROWS, type PooledAccount, type PoolRequest, poolRequestsQuery } from '../pools-queries.ts';
import { ConfirmRequestsDialog } from './confirm-requests-dialog.tsx';
import { EndRequestDialog } from './end-request-dialog.tsx';
import { requestColumns, waitsForOperator } from './request-columns.tsx';

const EXPECTED = 3;

interface RequestsPanelProps {
  pool: PooledAccount;
  isSuper: boolean;
  explorerUrl: string;
}

/** Deposits and withdrawals of the members that are not done, newest first. */
export function RequestsPanel({ pool, isSuper, explorerUrl }: RequestsPanelProps) {
  const [page, setPage] = useState(1);
  const [ending, setEnding] = useState<PoolRequest | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const query = useQuery(poolRequestsQuery(pool, page));
  const { data } = query;
  const columns = useMemo(
    () => requestColumns({ explorerUrl, onEnd: isSuper ? setEnding : null }),
    [explorerUrl, isSuper],
  );
  const total = data?.meta.total ?? 0;
  const unordered = isSuper ? (data?.data ?? []).filter(waitsForOperator) : [];
  return (
    <Panel
      title="Requests"
      flush
      count={data && total}
      actions={
        unordered.length > 0 && (
          <Button className="h-7!" onClick={() => setConfirming(true)}>
            Order {unordered.length === 1 ? 'the one' : formatCount(unordered.length)} that{' '}
            {unordered.length === 1 ? 'waits' : 'wait'}
          </Button>
        )
      }
    >
      <PagedTable
        label="Requests, newest first"
        columns={columns}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        what="requests"
        query={query}
        page={page}
        pageRows={POOL_PAGE_ROWS}
        onPage={setPage}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading requests..." />}
        empty={
          <MessagePanel
            icon={ListChecks}
            level={3}
            small
            title="No requests"
            text="Deposits and withdrawals appear here until they are done."
          />
        }
      />
      {isConfirming && (
        <ConfirmRequestsDialog pool={pool} requests={unordered} onClose={() => setConfirming(false)} />
      )}
      {ending && <EndRequestDialog pool={pool} request={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}
