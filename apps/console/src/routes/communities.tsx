import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import Network from 'lucide-react/icons/network';
import { useMemo } from 'react';
import { leaderboardQuery } from '../features/communities/communities-queries.ts';
import { leaderboardColumns } from '../features/communities/leaderboard/leaderboard-columns.tsx';
import { LeaderboardHeader } from '../features/communities/leaderboard/leaderboard-header.tsx';
import { LeaderboardSkeleton } from '../features/communities/leaderboard/leaderboard-skeleton.tsx';
import { rankCommunities } from '../features/communities/leaderboard/rank-communities.ts';
import { useSession } from '../features/identity/identity-context.ts';
import { AwaitingNotice } from '../features/payouts/approval/awaiting-notice.tsx';
import { activePoolsQuery } from '../features/pools/pools-queries.ts';
import { messageOf } from '../lib/api/api-error.ts';
import { addSums } from '../lib/format/figures.ts';
import { formatCount } from '../lib/format/numbers.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { QueryState } from '../ui/feedback/query-state.tsx';
import { Page } from '../ui/layout/page.tsx';
import { PlainTable } from '../ui/table/plain-table/plain-table.tsx';

export default function CommunitiesScreen() {
  usePageTitle('Communities');
  const navigate = useNavigate();
  const session = useSession();
  const { data, error, refetch } = useQuery(leaderboardQuery);
  const { data: pools } = useQuery(activePoolsQuery);
  const isSuper = session.status === 'signed-in' && session.user.super;
  const rows = useMemo(() => (data ? rankCommunities(data.data) : []), [data]);
  const columns = useMemo(
    () =>
      leaderboardColumns({
        isSuper,
        onSettings: (communityId) =>
          void navigate({
            to: '/community-settings/$communityId',
            params: { communityId },
            state: { fromCommunities: true },
          }),
      }),
    [isSuper, navigate],
  );
  const found = rows.length === 1 ? '1 community' : `${formatCount(rows.length)} communities`;
  return (
    <Page>
      <LeaderboardHeader
        sums={data ? addSums(rows) : null}
        totalsAt={data?.meta.totals_at ?? null}
        isFailed={error !== null}
        isPart={session.status === 'signed-in' && !session.user.super}
      />
      {isSuper && (
        <div className="empty:hidden">
          <AwaitingNotice />
        </div>
      )}
      <div className="mb-3 flex min-h-5 items-baseline justify-between gap-4">
        <p role="status" className="text-muted tabular-nums">
          {data ? found : error ? '' : 'Loading communities data...'}
        </p>
        {pools && pools.length > 0 && (
          <Link to="/pools" className="rounded text-accent tabular-nums hover:underline">
            {pools.length === 1 ? '1 pool' : `${formatCount(pools.length)} pools`}
          </Link>
        )}
      </div>
      <div className="overflow-hidden border-line bg-surface max-sm:-mx-4 max-sm:border-y sm:rounded-lg sm:border">
        <QueryState
          error={
            error && !data
              ? { title: 'The communities could not be loaded', message: messageOf(error) }
              : null
          }
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<LeaderboardSkeleton />}
          isEmpty={rows.length === 0}
          empty={
            <MessagePanel
              icon={Network}
              title="No communities found"
              text="There is no active community that you have access to"
            />
          }
        >
          <PlainTable label="Communities by AUM" columns={columns} rows={rows} keyOf={(row) => row.id} />
        </QueryState>
      </div>
    </Page>
  );
}
