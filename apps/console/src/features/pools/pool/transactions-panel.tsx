import { useQuery } from '@tanstack/react-query';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useCallback, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { POOL_PAGE_ROWS, type PooledAccount, poolTransactionsQuery } from '../pools-queries.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import type { PoolSearch } from './pool-search.ts';
import { transactionColumns } from './transaction-columns.tsx';

/** The skeleton's rows: their number is not known before they arrive. */
const EXPECTED = 6;

interface TransactionsPanelProps {
  pool: PooledAccount;
  page: number;
  explorerUrl: string;
  onChange(change: PoolSearch): void;
}

/** Deposits, withdrawals, profits, losses and fees of the members in scope, newest first. */
export function TransactionsPanel({ pool, page, explorerUrl, onChange }: TransactionsPanelProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(poolTransactionsQuery(pool, page));
  const columns = useMemo(() => transactionColumns(explorerUrl), [explorerUrl]);
  const total = data?.meta.total ?? 0;
  const toPage = useCallback(
    (to: number) => onChange({ transactions: to > 1 ? String(to) : undefined }),
    [onChange],
  );
  useLastPage({ page, rows: POOL_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, toPage);
  return (
    <Panel title="Transactions" flush count={data && total}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The transactions could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading transactions..." />}
        isEmpty={total === 0}
        empty={
          <MessagePanel
            icon={ScrollText}
            level={3}
            small
            title="No transactions found"
            text="Deposits, withdrawals, results and fees of the members appear here."
          />
        }
      >
        <PlainTable
          label="Transactions, newest first"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
        {total > POOL_PAGE_ROWS && (
          <Pager
            label="Pages of transactions"
            page={page}
            pageRows={POOL_PAGE_ROWS}
            total={total}
            onChange={toPage}
          />
        )}
      </QueryState>
    </Panel>
  );
}
