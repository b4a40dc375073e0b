import { useQuery } from '@tanstack/react-query';
import { useSession } from '../features/identity/identity-context.ts';
import { ConnectPoolButton } from '../features/pools/connect/connect-pool-button.tsx';
import { PoolsPanel } from '../features/pools/pools-panel.tsx';
import { activePoolsQuery } from '../features/pools/pools-queries.ts';
import { communitiesQuery } from '../features/providers/directory-queries.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Page, PageHeader } from '../ui/layout/page.tsx';

/** All pools in scope. Super admins have them on their dashboard as well. */
export default function PoolsScreen() {
  usePageTitle('Pools');
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const communities = useQuery(communitiesQuery);
  const { data, dataUpdatedAt, error, refetch } = useQuery(activePoolsQuery);
  return (
    <Page>
      <PageHeader
        title="Pools"
        facts={
          <p role="status" className="text-xs text-muted empty:hidden">
            {!data && !error && 'Loading pools...'}
          </p>
        }
        note={
          session.status === 'signed-in' && !isSuper && 'Figures are your part: traders of your providers.'
        }
      />
      <PoolsPanel
        pools={data}
        readAt={dataUpdatedAt}
        error={error}
        onRetry={() => void refetch()}
        actions={
          isSuper &&
          data &&
          communities.data && <ConnectPoolButton communities={communities.data} pools={data} />
        }
      />
    </Page>
  );
}
