import { useQuery } from '@tanstack/react-query';
import { useSession } from '../features/identity/identity-context.ts';
import { ConnectPoolButton } from '../features/pools/connect/connect-pool-button.tsx';
import { PoolsPanel } from '../features/pools/pools-panel.tsx';
import { activePoolsQuery } from '../features/pools/pools-queries.ts';
import { communitiesQuery } from '../features/providers/directory-queries.ts';
import { liveStatus } from '../lib/live/live-status.ts';
import { useStore } from '../lib/store.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { LiveIndicator } from '../ui/feedback/live-indicator.tsx';

/** All pools in scope. Super admins have them on their dashboard as well. */
export default function PoolsScreen() {
  usePageTitle('Pools');
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const live = useStore(liveStatus);
  const communities = useQuery(communitiesQuery);
  const { data, dataUpdatedAt, error, refetch } = useQuery(activePoolsQuery);
  return (
    <div className="mx-auto w-full max-w-7xl space-y-4 px-4 pt-4 pb-8 sm:px-6">
      <div>
        <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
          Pools
        </h1>
        {session.status === 'signed-in' && !session.user.super && (
          <p className="text-xs text-pretty text-muted">Figures are your part: traders of your providers.</p>
        )}
        <p className="flex h-5 items-center gap-2 text-xs text-muted">
          <LiveIndicator status={live} />
          <span role="status" className="empty:hidden">
            {!data && !error && 'Loading pools...'}
          </span>
        </p>
      </div>
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
    </div>
  );
}
