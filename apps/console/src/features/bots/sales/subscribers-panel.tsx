import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import UserCheck from 'lucide-react/icons/user-check';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SALE_PAGE_ROWS, type Subscriber, subscribersQuery } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

const COLUMNS: readonly PlainColumn<Subscriber>[] = [
  {
    id: 'buyer',
    header: 'Subscriber',
    width: '45%',
    onCard: 'lead',
    cell: (subscriber) => (
      <Link
        to="/trader/$traderId"
        params={{ traderId: subscriber.trader_id }}
        className="block truncate font-medium hover:underline"
      >
        {buyerName(subscriber)}
      </Link>
    ),
  },
  {
    id: 'plan',
    header: 'Last plan',
    width: '30%',
    cell: ({ plan_name }) => <span className="block truncate">{plan_name}</span>,
  },
  {
    id: 'until',
    header: 'Access until',
    width: '25%',
    align: 'end',
    cell: ({ access_until: at }) => <When at={at} as="day" />,
  },
];

/** Who has access now, the next to end first. */
export function SubscribersPanel({ botId }: { botId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(subscribersQuery(botId, page));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: SALE_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <Panel title="Subscribers" flush count={data && total}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The subscribers could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading subscribers..." />}
        isEmpty={data?.data.length === 0}
        empty={
          <MessagePanel
            icon={UserCheck}
            level={3}
            small
            title="No subscribers"
            text="A person appears here once an order is paid, until its time is over."
          />
        }
      >
        <PlainTable
          label="Subscribers, the next to end first"
          columns={COLUMNS}
          rows={data?.data ?? []}
          keyOf={({ trader_id }) => trader_id}
          isStale={isPlaceholderData}
        />
        {total > SALE_PAGE_ROWS && (
          <Pager page={page} pageRows={SALE_PAGE_ROWS} total={total} onChange={setPage} />
        )}
      </QueryState>
    </Panel>
  );
}
