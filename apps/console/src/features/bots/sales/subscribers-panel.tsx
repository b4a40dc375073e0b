import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import UserCheck from 'lucide-react/icons/user-check';
import { useState } from 'react';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { Arrangement } from '../../../ui/table/plain-table/arranged-table.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { BOT_PAGE_ROWS, type Subscriber, subscribersQuery } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

const COLUMNS: readonly PlainColumn<Subscriber>[] = [
  {
    id: 'buyer',
    header: 'Subscriber',
    width: '45%',
    isPinned: true,
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
export function SubscribersPanel({ botId, arrangement }: { botId: string; arrangement: Arrangement }) {
  const [page, setPage] = useState(1);
  const query = useQuery(subscribersQuery(botId, page));
  const { data } = query;
  const total = data?.meta.total ?? 0;
  return (
    <Panel title="Subscribers" flush count={data && total}>
      <PagedTable
        label="Subscribers, the next to end first"
        columns={COLUMNS}
        keyOf={({ trader_id }) => trader_id}
        what="subscribers"
        query={query}
        page={page}
        pageRows={BOT_PAGE_ROWS}
        arrangement={arrangement}
        onPage={setPage}
        loading={<Loading text="Loading subscribers..." />}
        empty={
          <MessagePanel
            icon={UserCheck}
            level={3}
            small
            title="No subscribers"
            text="A person appears here once an order is paid, until its time is over."
          />
        }
      />
    </Panel>
  );
}
