import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import Network from 'lucide-react/icons/network';
import SearchX from 'lucide-react/icons/search-x';
import { useCallback, useMemo } from 'react';
import { leaderboardQuery } from '../features/communities/communities-queries.ts';
import { communitiesList } from '../features/communities/leaderboard/communities-search.ts';
import { leaderboardColumns } from '../features/communities/leaderboard/leaderboard-columns.tsx';
import { LeaderboardHeader } from '../features/communities/leaderboard/leaderboard-header.tsx';
import { LeaderboardSkeleton } from '../features/communities/leaderboard/leaderboard-skeleton.tsx';
import { narrowCommunities, rankCommunities } from '../features/communities/leaderboard/rank-communities.ts';
import { useSession } from '../features/identity/identity-context.ts';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { AwaitingNotice } from '../features/payouts/approval/awaiting-notice.tsx';
import { activePoolsQuery } from '../features/pools/pools-queries.ts';
import { messageOf } from '../lib/api/api-error.ts';
import { addSums } from '../lib/format/figures.ts';
import { formatCount } from '../lib/format/numbers.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { QueryState } from '../ui/feedback/query-state.tsx';
import { Page } from '../ui/layout/page.tsx';
import { ListToolbar } from '../ui/list/list-toolbar.tsx';
import { PlainTable } from '../ui/table/plain-table/plain-table.tsx';
import { SortSelect } from '../ui/table/sort-select.tsx';

const SORT_CHOICES = [
  { id: 'aum', label: 'Total AUM' },
  { id: 'traders', label: 'Traders' },
  { id: 'created', label: 'Created' },
  { id: 'name', label: 'Community' },
] as const;

function Communities() {
  usePageTitle('Communities');
  const navigate = useNavigate();
  const [search, change] = useScreenSearch(communitiesList.read);
  const filters = useMemo(() => communitiesList.complete(search), [search]);
  const arrangement = useListLayout('communities', search.saved);
  const session = useSession();
  const { data, error, refetch } = useQuery(leaderboardQuery);
  const { data: pools } = useQuery(activePoolsQuery);
  const isSuper = session.status === 'signed-in' && session.user.super;
  const all = useMemo(() => (data ? rankCommunities(data.data) : []), [data]);
  const rows = useMemo(() => narrowCommunities(all, filters), [all, filters]);
  const changeText = useCallback(
    (text: string | undefined) => change({ search: text }, { replace: true }),
    [change],
  );
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
  const sort = (next: typeof filters.sort) => change(communitiesList.sortParams(next));
  return (
    <Page>
      <LeaderboardHeader
        sums={data ? addSums(all) : null}
        totalsAt={data?.meta.totals_at ?? null}
        isFailed={error !== null}
        isPart={session.status === 'signed-in' && !session.user.super}
      />
      {isSuper && (
        <div className="empty:hidden">
          <AwaitingNotice />
        </div>
      )}
      <ListToolbar
        list={communitiesList}
        values={filters}
        sources={{}}
        onChange={change}
        search={{
          label: 'Search communities by name',
          placeholder: 'Community',
          value: filters.search,
          onChange: changeText,
        }}
        sort={<SortSelect columns={SORT_CHOICES} sort={filters.sort} onChange={sort} />}
        found={data ? found : error ? '' : 'Loading communities data...'}
      >
        {pools && pools.length > 0 && (
          <Link to="/pools" className="rounded text-accent tabular-nums hover:underline">
            {pools.length === 1 ? '1 pool' : `${formatCount(pools.length)} pools`}
          </Link>
        )}
        <ViewsButton
          screen="communities"
          list={communitiesList}
          search={search}
          columns={arrangement}
          onApply={change}
        />
      </ListToolbar>
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
            all.length > 0 ? (
              <MessagePanel icon={SearchX} title="No communities match" text="Change the search." />
            ) : (
              <MessagePanel
                icon={Network}
                title="No communities found"
                text="There is no active community that you have access to"
              />
            )
          }
        >
          <PlainTable
            label="Communities by AUM"
            columns={columns}
            rows={rows}
            keyOf={(row) => row.id}
            sort={filters.sort}
            onSort={sort}
            arrangement={arrangement}
          />
        </QueryState>
      </div>
    </Page>
  );
}

export default function CommunitiesScreen() {
  return (
    <OpensWithView screen="communities" list={communitiesList}>
      <Communities />
    </OpensWithView>
  );
}
