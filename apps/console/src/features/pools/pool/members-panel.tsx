import { useQuery } from '@tanstack/react-query';
import Users from 'lucide-react/icons/users';
import { useCallback, useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { InfoTip } from '../../../ui/feedback/info-tip.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { POOL_PAGE_ROWS, type PooledAccount, type PoolMember, poolMembersQuery } from '../pools-queries.ts';
import { WithdrawDialog } from '../requests/withdraw-dialog.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { memberColumns } from './member-columns.tsx';
import type { PoolSearch } from './pool-search.ts';

const CARRY_TIP = 'Loss carried: later profits make up for it before a fee is charged.';

interface MembersPanelProps {
  pool: PooledAccount;
  page: number;
  isPendingOnly: boolean;
  isSuper: boolean;
  onChange(change: PoolSearch): void;
}

/** The members of a pool in scope, by virtual balance. */
export function MembersPanel({ pool, page, isPendingOnly, isSuper, onChange }: MembersPanelProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(poolMembersQuery(pool, page, isPendingOnly));
  const [withdrawing, setWithdrawing] = useState<PoolMember | null>(null);
  const columns = useMemo(() => memberColumns(isSuper ? setWithdrawing : null), [isSuper]);
  const { total = 0, virtual_balance = '0', pending_deposits = '0' } = data?.meta ?? {};
  const toPage = useCallback(
    (to: number) => onChange({ members: to > 1 ? String(to) : undefined }),
    [onChange],
  );
  useLastPage({ page, rows: POOL_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, toPage);
  return (
    <Panel
      title="Members"
      flush
      count={data && total}
      note={
        data && (
          <span className="flex flex-wrap items-center gap-x-1">
            <span>
              <Money as="floored" amount={virtual_balance} /> virtual,{' '}
              <Money as="floored" amount={pending_deposits} /> pending
            </span>
            <InfoTip about="losses carried" text={CARRY_TIP} />
          </span>
        )
      }
      actions={
        <Button
          className="h-7!"
          aria-pressed={isPendingOnly}
          onClick={() => onChange({ pending: isPendingOnly ? undefined : 'only', members: undefined })}
        >
          {isPendingOnly ? 'Show all' : 'Show pending only'}
        </Button>
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The members could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={
          <ListSkeleton
            columns={columns}
            rows={Math.max(1, Math.min(pool.trader_count, POOL_PAGE_ROWS))}
            text="Loading members..."
          />
        }
        isEmpty={total === 0}
        empty={
          <MessagePanel
            icon={Users}
            level={3}
            small
            title="No members found"
            text={
              isPendingOnly
                ? 'No member has a pending deposit.'
                : 'Traders appear here once their first deposit to the pool is final.'
            }
          />
        }
      >
        <PlainTable
          label="Members by virtual balance"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
        {total > POOL_PAGE_ROWS && (
          <Pager
            label="Pages of members"
            page={page}
            pageRows={POOL_PAGE_ROWS}
            total={total}
            onChange={toPage}
          />
        )}
      </QueryState>
      {withdrawing && (
        <WithdrawDialog pool={pool} member={withdrawing} onClose={() => setWithdrawing(null)} />
      )}
    </Panel>
  );
}
