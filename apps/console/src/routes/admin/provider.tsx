import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { ChangedProviderAddress } from '../../features/payouts/addresses/changed-address.tsx';
import { TeamPanel } from '../../features/people/team/team-panel.tsx';
import { InvoicingDialog } from '../../features/providers/management/invoicing-dialog.tsx';
import { ProviderFormDialog } from '../../features/providers/management/provider-form-dialog.tsx';
import { ProviderCommunitiesPanel } from '../../features/providers/page/provider-communities-panel.tsx';
import { ProviderExchangesPanel } from '../../features/providers/page/provider-exchanges-panel.tsx';
import { ProviderFigureCards } from '../../features/providers/page/provider-figures.tsx';
import { ProviderHistory } from '../../features/providers/page/provider-history.tsx';
import { ProviderSettingsPanel } from '../../features/providers/page/provider-settings-panel.tsx';
import {
  type Provider,
  providerFiguresQuery,
  providerQuery,
} from '../../features/providers/providers-queries.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from './admin-page.tsx';

function Back({ look = 'outline' }: { look?: 'outline' | 'quiet' }) {
  const navigate = useNavigate();
  return (
    <Button
      look={look}
      className={look === 'quiet' ? '-ms-3' : ''}
      onClick={() => void navigate({ to: '/providers' })}
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      Providers
    </Button>
  );
}

function Header({ provider }: { provider: Provider }) {
  const { data: figures } = useQuery(providerFiguresQuery(provider.id));
  useAsOf(figures?.totals_at);
  return (
    <PageHeader
      back={<Back look="quiet" />}
      title={provider.display_name}
      facts={
        <>
          {!provider.is_active && <Badge tone="neutral">Inactive</Badge>}
          {!provider.invoicing_enabled && <Badge tone="caution">Invoicing disabled</Badge>}
          <span className="text-xs text-muted">
            Created <When at={provider.created_at} as="ago" />
          </span>
        </>
      }
    />
  );
}

function ProviderPage() {
  const { providerId } = useParams({ from: '/console/providers/$providerId' });
  const { data: provider, error, refetch } = useQuery(providerQuery(providerId));
  const [asked, setAsked] = useState<'edit' | 'invoicing' | null>(null);
  const close = () => setAsked(null);
  usePageTitle(provider?.display_name ?? 'Provider');
  if (error && !provider) {
    return (
      <RecordProblem
        error={error}
        missing={{ title: 'Provider Not Found', text: 'The requested provider could not be found.' }}
        failed="The provider could not be loaded"
        onRetry={() => void refetch()}
      >
        <Back />
      </RecordProblem>
    );
  }
  if (!provider) return <Loading text="Loading provider..." />;
  return (
    <Page>
      <Header provider={provider} />
      <div className="space-y-4">
        <ProviderFigureCards providerId={provider.id} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-4">
            <ProviderCommunitiesPanel providerId={provider.id} />
            <TeamPanel providerId={provider.id} title="Staff" />
            <ProviderHistory providerId={provider.id} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <ProviderSettingsPanel
              provider={provider}
              addressNote={<ChangedProviderAddress providerId={provider.id} />}
              onEdit={() => setAsked('edit')}
              onInvoicing={() => setAsked('invoicing')}
            />
            <ProviderExchangesPanel providerId={provider.id} />
          </div>
        </div>
      </div>
      {asked === 'edit' && <ProviderFormDialog providerId={provider.id} onClose={close} />}
      {asked === 'invoicing' && <InvoicingDialog provider={provider} onClose={close} />}
    </Page>
  );
}

export default function ProviderScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <ProviderPage />
    </SuperOnly>
  );
}
