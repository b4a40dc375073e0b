import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import Network from 'lucide-react/icons/network';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { type LinkedCommunity, linkedCommunitiesQuery } from '../providers-queries.ts';

const columnsOf = (providerId: string): readonly PlainColumn<LinkedCommunity>[] => [
  {
    id: 'community',
    header: 'Community',
    width: '46%',
    onCard: 'lead',
    cell: ({ id, name, is_archived, is_active }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/community-settings/$communityId"
          params={{ communityId: id }}
          className="truncate rounded font-medium hover:text-accent hover:underline"
        >
          {name}
        </Link>
        {is_archived && <Badge tone="neutral">Archived</Badge>}
        {!is_active && !is_archived && <Badge tone="caution">Closed to new traders</Badge>}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Name in Community',
    width: '22%',
    onCard: 'line',
    cell: ({ custom_display_name }) => custom_display_name ?? <span className="text-muted">Same</span>,
  },
  {
    id: 'traders',
    header: 'Traders',
    width: '14%',
    align: 'end',
    cell: ({ id, trader_count }) => (
      <Count n={trader_count} to={{ to: '/', search: { tab: 'all', community: id, provider: providerId } }} />
    ),
  },
  {
    id: 'aum',
    header: "AUM, Provider's Part",
    width: '18%',
    align: 'end',
    cell: ({ total_aum }) => <Money amount={total_aum} as="equity" />,
  },
];

/** The communities that work with a provider. */
export function ProviderCommunitiesPanel({ providerId }: { providerId: string }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(linkedCommunitiesQuery(providerId));
  return (
    <Panel title="Communities" flush count={data?.length}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The communities could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading communities..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={Network}
            level={3}
            small
            title="No communities yet"
            text="Link the provider in the settings of a community."
          />
        }
      >
        <PlainTable
          label="Communities"
          columns={columnsOf(providerId)}
          rows={data ?? []}
          keyOf={({ id }) => id}
          onOpen={({ id: communityId }) =>
            void navigate({ to: '/community-settings/$communityId', params: { communityId } })
          }
          dimmedOf={({ is_archived }) => is_archived}
        />
      </QueryState>
    </Panel>
  );
}
