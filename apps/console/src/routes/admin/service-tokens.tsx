import { useQuery } from '@tanstack/react-query';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { TokensPanel } from '../../features/people/service-tokens/tokens-panel.tsx';
import { providersQuery } from '../../features/providers/directory-queries.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AdminPage, ToTraders } from './admin-page.tsx';

function ServiceTokens() {
  usePageTitle('Service Tokens');
  const providers = useQuery(providersQuery);
  return (
    <AdminPage title="Service Tokens">
      <TokensPanel providers={providers.data ?? []} />
    </AdminPage>
  );
}

export default function ServiceTokensScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <ServiceTokens />
    </SuperOnly>
  );
}
