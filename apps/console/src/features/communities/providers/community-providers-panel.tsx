import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-2';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import { type CommunityProvider, communityProvidersQuery } from './community-providers-query.ts';
import { EditLinkDialog } from './edit-link-dialog.tsx';
import { LinkProviderDialog, type NamedProvider } from './link-provider-dialog.tsx';
import { RemoveLinkDialog } from './remove-link-dialog.tsx';

type Asked = { what: 'link' } | { what: 'edit' | 'remove'; link: CommunityProvider };

const columnsOf = (ask: (asked: Asked) => void): readonly PlainColumn<CommunityProvider>[] => [
  {
    id: 'provider',
    header: 'Provider',
    width: '44%',
    onCard: 'lead',
    cell: ({ provider_id, display_name, custom_display_name, is_active, is_provider_active }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/providers/$providerId"
          params={{ providerId: provider_id }}
          className="truncate rounded font-medium hover:text-accent hover:underline"
        >
          {display_name}
        </Link>
        {custom_display_name && (
          <span className="truncate text-xs font-normal text-muted">as {custom_display_name}</span>
        )}
        {!is_provider_active && <Badge tone="neutral">Inactive</Badge>}
        {is_provider_active && !is_active && <Badge tone="caution">Closed to new traders</Badge>}
      </span>
    ),
  },
  {
    id: 'split',
    header: 'Payment Split',
    width: '17%',
    align: 'end',
    cell: ({ payment_split_percentage }) => <Percentage fraction={payment_split_percentage} />,
  },
  {
    id: 'traders',
    header: 'Traders',
    width: '13%',
    align: 'end',
    cell: ({ trader_count }) => <Count n={trader_count} plain="The list has those with an account too" />,
  },
  {
    id: 'accounts',
    header: 'Accounts',
    width: '14%',
    align: 'end',
    cell: ({ account_count }) => <Count n={account_count} plain="No list has exchange accounts" />,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '12%',
    align: 'end',
    onCard: 'end',
    cell: (link) => (
      <RowMenu of={link.display_name}>
        <MenuItem icon={Pencil} text="Edit" onSelect={() => ask({ what: 'edit', link })} />
        <MenuItem icon={Trash2} text="Remove" onSelect={() => ask({ what: 'remove', link })} />
      </RowMenu>
    ),
  },
];

interface CommunityProvidersPanelProps {
  community: { id: string; name: string; is_archived: boolean };
  /** Every active provider; undefined while they load. */
  providers: readonly NamedProvider[] | undefined;
}

/** The providers that the traders of a community can choose. */
export function CommunityProvidersPanel({ community, providers }: CommunityProvidersPanelProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data, error, refetch } = useQuery(communityProvidersQuery(community.id));
  const columns = useMemo(() => columnsOf(setAsked), []);
  const close = () => setAsked(null);
  const free = providers?.filter(({ id }) => !data?.some(({ provider_id }) => provider_id === id)) ?? [];
  const isClosed = community.is_archived || !data || free.length === 0;
  return (
    <Panel
      title="Providers"
      flush
      count={data?.length}
      actions={
        <Button
          className="h-7!"
          disabled={isClosed}
          title={
            community.is_archived
              ? 'The community is archived'
              : data && providers && free.length === 0
                ? 'Every active provider is linked'
                : undefined
          }
          onClick={() => setAsked({ what: 'link' })}
        >
          Link provider
        </Button>
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The providers could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading providers..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={Building2}
            level={3}
            small
            title="No providers linked"
            text="Traders of this community cannot choose a provider, so none can be added."
          />
        }
      >
        <PlainTable
          label="Providers"
          columns={columns}
          rows={data ?? []}
          keyOf={({ provider_id }) => provider_id}
          dimmedOf={({ is_active, is_provider_active }) => !(is_active && is_provider_active)}
        />
      </QueryState>
      {asked?.what === 'link' && (
        <LinkProviderDialog community={community} providers={free} onClose={close} />
      )}
      {asked?.what === 'edit' && (
        <EditLinkDialog
          communityId={community.id}
          link={data?.find((link) => link.provider_id === asked.link.provider_id) ?? asked.link}
          onClose={close}
        />
      )}
      {asked?.what === 'remove' && (
        <RemoveLinkDialog communityId={community.id} link={asked.link} onClose={close} />
      )}
    </Panel>
  );
}
