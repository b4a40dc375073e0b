import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import UserPlus from 'lucide-react/icons/user-plus';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { PART_OF_AUM } from '../../../lib/format/aum-texts.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { YourPart } from '../../../ui/figures/your-part.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { communitiesKeys } from '../communities-keys.ts';

type CommunityTrader = CallAnswer<'GET /api/communities/{id}/traders'>['data'][number];

/** Rows per page. */
const TRADER_ROWS = 10;

const STATUSES = {
  pending: { tone: 'neutral', text: 'Pending' },
  connected: { tone: 'positive', text: 'Connected' },
  delinquent: { tone: 'negative', text: 'Delinquent' },
} as const satisfies Record<CommunityTrader['status'], object>;

const COLUMNS: readonly PlainColumn<CommunityTrader>[] = [
  {
    id: 'reference',
    header: 'Reference Number',
    width: '22%',
    cell: ({ reference_number }) => <span className="font-mono text-sm">{reference_number ?? 'N/A'}</span>,
  },
  {
    id: 'trader',
    header: 'Trader',
    width: '30%',
    onCard: 'lead',
    cell: (trader) => (
      <Link
        to="/trader/$traderId"
        params={{ traderId: trader.id }}
        className="truncate rounded font-medium hover:text-accent hover:underline"
      >
        {listName(trader)}
      </Link>
    ),
  },
  {
    id: 'aum',
    header: 'AUM',
    width: '16%',
    align: 'end',
    cell: ({ aum, aum_is_part }) => (
      <span className="flex items-center justify-end gap-1.5">
        <YourPart isPart={aum_is_part ?? false} title={PART_OF_AUM} />
        <Money amount={aum} as="equity" />
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '16%',
    onCard: 'end',
    cell: ({ status }) => <State tone={STATUSES[status].tone}>{STATUSES[status].text}</State>,
  },
  {
    id: 'joined',
    header: 'Joined',
    width: '16%',
    cell: ({ created_at }) => <When at={created_at} as="day" />,
  },
];

/** The traders of a community, by AUM. */
export function CommunityTradersPanel({ communityId }: { communityId: string }) {
  const [page, setPage] = useState(1);
  const query = useQuery(tradersQuery(communityId, page));
  const { data } = query;
  const total = data?.meta.total;
  return (
    <Panel
      title="Traders"
      count={total}
      actions={
        <Link
          to="/"
          search={{ community: communityId, tab: 'all' }}
          className="rounded text-accent hover:underline"
        >
          Show in Traders
        </Link>
      }
      flush
    >
      <PagedTable
        label="Traders of the community, by AUM"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        what="traders"
        query={query}
        page={page}
        pageRows={TRADER_ROWS}
        onPage={setPage}
        loading={<SkeletonTable columns={COLUMNS} rows={TRADER_ROWS} />}
        empty={
          <MessagePanel
            icon={UserPlus}
            level={3}
            small
            title="No traders yet"
            text="Traders who join this community appear here"
          />
        }
      />
    </Panel>
  );
}

/** @param page counted from 1 */
const tradersQuery = (id: string, page: number) =>
  queryOptions({
    // Below the figures: a change of any trader reads them again.
    queryKey: [...communitiesKeys.record(id), 'traders', page],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/communities/{id}/traders', {
        params: { id },
        query: {
          include_aum: 'true',
          limit: String(TRADER_ROWS),
          offset: String((page - 1) * TRADER_ROWS),
        },
        signal,
      }),
  });
