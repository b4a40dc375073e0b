import { useQuery } from '@tanstack/react-query';
import { useSession } from '../features/identity/identity-context.ts';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { ConnectPoolButton } from '../features/pools/connect/connect-pool-button.tsx';
import { PoolsPanel } from '../features/pools/pools-panel.tsx';
import { activePoolsQuery } from '../features/pools/pools-queries.ts';
import { poolsList } from '../features/pools/pools-search.ts';
import { communitiesQuery } from '../features/providers/directory-queries.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Page, PageHeader } from '../ui/layout/page.tsx';

function Pools() {
  usePageTitle('Pools');
  const [search, change] = useScreenSearch(poolsList.read);
  const arrangement = useListLayout('pools', search.saved);
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
        filters={{ search: search.search, action: search.action }}
        onChange={change}
        arrangement={arrangement}
        actions={
          <>
            <ViewsButton
              screen="pools"
              list={poolsList}
              search={search}
              columns={arrangement}
              onApply={change}
            />
            {isSuper && data && communities.data && (
              <ConnectPoolButton communities={communities.data} pools={data} />
            )}
          </>
        }
      />
    </Page>
  );
}

/** All pools in scope. Super admins have them on their dashboard as well. */
export default function PoolsScreen() {
  return (
    <OpensWithView screen="pools" list={poolsList}>
      <Pools />
    </OpensWithView>
  );
}
