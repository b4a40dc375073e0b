import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import Building2 from 'lucide-react/icons/building-2';
import Plus from 'lucide-react/icons/plus';
import ShieldX from 'lucide-react/icons/shield-x';
import { useMemo, useState } from 'react';
import { serverMessage } from '../../../lib/api/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { providersQuery } from '../directory-queries.ts';
import type { ListedProvider } from '../providers-queries.ts';
import { InvoicingDialog } from './invoicing-dialog.tsx';
import { providerColumns } from './provider-columns.tsx';
import { ProviderFormDialog } from './provider-form-dialog.tsx';

type Asked = { what: 'new' } | { what: 'edit' | 'invoicing'; provider: ListedProvider };

/** Provider management (super-admin spec, section 2); a notice for people who are not super admins. */
export function ProvidersPanel({ isSuper }: { isSuper: boolean }) {
  if (isSuper) return <Providers />;
  return (
    <Panel title="Providers">
      <MessagePanel
        icon={ShieldX}
        alert
        title="Access Denied"
        text="Provider management is only available to super administrators."
      />
    </Panel>
  );
}

function Providers() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data, error, refetch } = useQuery(providersQuery);
  const close = () => setAsked(null);
  const columns = useMemo(
    () =>
      providerColumns({
        onOpen: ({ id: providerId }) =>
          void navigate({ to: '/providers/$providerId', params: { providerId } }),
        onEdit: (provider) => setAsked({ what: 'edit', provider }),
        onInvoicing: (provider) => setAsked({ what: 'invoicing', provider }),
      }),
    [navigate],
  );
  const open = ({ id: providerId }: Pick<ListedProvider, 'id'>) =>
    void navigate({ to: '/providers/$providerId', params: { providerId } });
  return (
    <Panel
      title="Providers"
      flush
      count={data?.length}
      actions={
        <Button className="h-7!" onClick={() => setAsked({ what: 'new' })}>
          <Plus className="size-4" aria-hidden="true" />
          New provider
        </Button>
      }
    >
      <QueryState
        small
        error={
          error && !data
            ? {
                title: 'Failed to load providers',
                message: serverMessage(error) ?? 'Failed to fetch providers',
              }
            : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading providers..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={Building2}
            small
            title="No providers found"
            text="Create the first one: communities and traders need a provider."
          />
        }
      >
        <PlainTable
          label="Providers"
          columns={columns}
          rows={data ?? []}
          keyOf={({ id }) => id}
          onOpen={(provider) => open(provider)}
          dimmedOf={({ is_active }) => !is_active}
        />
      </QueryState>
      {asked?.what === 'new' && <ProviderFormDialog providerId={null} onClose={close} onSaved={open} />}
      {asked?.what === 'edit' && <ProviderFormDialog providerId={asked.provider.id} onClose={close} />}
      {asked?.what === 'invoicing' && <InvoicingDialog provider={asked.provider} onClose={close} />}
    </Panel>
  );
}
