import type { CallAnswer } from '@copydesk/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import Users from 'lucide-react/icons/users';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { ROLE_WORDS } from '../roles/role-texts.ts';

const COLUMNS: readonly PlainColumn<Colleague>[] = [
  {
    id: 'person',
    header: 'Person',
    width: '38%',
    onCard: 'lead',
    cell: ({ name, email }) => (
      <span className="flex min-w-0 flex-col md:py-1.5">
        <span className="truncate font-medium">{name}</span>
        {name !== email && <span className="truncate text-xs text-muted">{email}</span>}
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: '26%',
    onCard: 'line',
    cell: ({ role, disabled, active }) => (
      <span className="inline-flex flex-wrap gap-1">
        <Badge tone="neutral">{ROLE_WORDS[role].label}</Badge>
        {disabled && <Badge tone="negative">Disabled</Badge>}
        {!active && !disabled && <Badge tone="caution">Invited</Badge>}
      </span>
    ),
  },
  {
    id: 'factor',
    header: 'Second Factor',
    width: '18%',
    onCard: 'line',
    cell: ({ two_factor_enabled }) => (two_factor_enabled ? 'On' : <span className="text-muted">Off</span>),
  },
  {
    id: 'seen',
    header: 'Last Seen',
    width: '18%',
    align: 'end',
    cell: ({ last_seen_at }) =>
      last_seen_at ? <When at={last_seen_at} as="ago" /> : <span className="text-muted">Not yet</span>,
  },
];

/** The staff of a provider, for its owner or a super admin. */
export function TeamPanel({ providerId, title }: { providerId: string; title: string }) {
  const { data, error, refetch } = useQuery(teamQuery(providerId));
  return (
    <Panel title={title} flush count={data?.length}>
      <QueryState
        small
        error={error && !data ? { title: 'The people could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading people..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={Users}
            small
            level={3}
            title="No staff yet"
            text="Only super admins see this provider."
          />
        }
      >
        <PlainTable
          label={title}
          columns={COLUMNS}
          rows={data ?? []}
          keyOf={({ id }) => id}
          dimmedOf={({ disabled }) => disabled}
        />
      </QueryState>
    </Panel>
  );
}

type Colleague = CallAnswer<'GET /api/providers/{id}/people'>['data'][number];

const teamQuery = (providerId: string) =>
  queryOptions({
    queryKey: ['people', 'team', providerId],
    staleTime: 15_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/providers/{id}/people', { params: { id: providerId }, signal })).data,
  });
