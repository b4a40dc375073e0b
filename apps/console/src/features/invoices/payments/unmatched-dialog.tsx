import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Dialog, DialogBody } from '../../../ui/form/dialog.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { type CreditAct, CreditDialog } from './credit-dialog.tsx';
import { unmatchedColumns } from './unmatched-columns.tsx';
import { unmatchedQuery } from './unmatched-query.ts';

const PAGE_ROWS = 10;

interface UnmatchedDialogProps {
  explorerUrl: string;
  onClose(): void;
}

/** Payments that no invoice has taken yet. They need no action, and may become tips or be sent back. */
export function UnmatchedDialog({ explorerUrl, onClose }: UnmatchedDialogProps) {
  const [page, setPage] = useState(1);
  const [act, setAct] = useState<CreditAct | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery(unmatchedQuery(page, PAGE_ROWS));
  const payments = data?.data ?? [];
  const total = data?.meta.total ?? 0;
  // Invoices took the payments of this page while it was open.
  useLastPage({ page, rows: PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  if (act)
    return <CreditDialog {...act} onClose={() => setAct((current) => (current === act ? null : current))} />;
  return (
    <Dialog
      wide
      title="Payments without an invoice"
      text="USDT received for traders without an open invoice. It is applied to the next invoice automatically."
      onClose={onClose}
    >
      <DialogBody>
        <QueryState
          small
          error={
            error && !data ? { title: 'The payments could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<Loading text="Loading payments..." />}
          isEmpty={total === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              level={3}
              small
              title="No unmatched payments"
              text="All payments are applied to invoices"
            />
          }
        >
          <div className="min-h-0 overflow-y-auto overscroll-contain">
            <PlainTable
              label="Payments without an invoice, latest first"
              columns={unmatchedColumns(payments, explorerUrl, setAct)}
              rows={payments}
              keyOf={({ id }) => id}
              isStale={isPlaceholderData}
            />
          </div>
          {total > PAGE_ROWS && (
            <Pager
              label="Pages of payments"
              page={page}
              pageRows={PAGE_ROWS}
              total={total}
              onChange={setPage}
            />
          )}
        </QueryState>
      </DialogBody>
    </Dialog>
  );
}
