import { dashboardFigures } from '@copydesk/domain/pools';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { BotTokenField } from '../../features/bots/bot/bot-token-field.tsx';
import { connectBot } from '../../features/bots/bot/connect-bot.ts';
import {
  type AdminCommunity,
  adminCommunitiesQuery,
} from '../../features/communities/communities-queries.ts';
import { NewCommunityButton } from '../../features/communities/create/new-community-button.tsx';
import { CommunitiesPanel } from '../../features/communities/dashboard/communities-panel.tsx';
import { readDashboardSearch } from '../../features/communities/dashboard/dashboard-search.ts';
import { SummaryCards } from '../../features/communities/dashboard/summary-cards.tsx';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { WaitingAddresses } from '../../features/payouts/addresses/waiting-addresses.tsx';
import { AwaitingNotice } from '../../features/payouts/approval/awaiting-notice.tsx';
import { DistributeDialog } from '../../features/payouts/distribute/distribute-dialog.tsx';
import { FrozenNotice } from '../../features/payouts/frozen/frozen-notice.tsx';
import { frozenWalletsQuery, waitingAddressesQuery } from '../../features/payouts/payouts-queries.ts';
import { ConnectPoolButton } from '../../features/pools/connect/connect-pool-button.tsx';
import { PoolsSection } from '../../features/pools/dashboard/pools-section.tsx';
import { activePoolsQuery } from '../../features/pools/pools-queries.ts';
import { providersQuery } from '../../features/providers/directory-queries.ts';
import { ProvidersPanel } from '../../features/providers/management/providers-panel.tsx';
import { waitingOrdersQuery } from '../../features/transfers/orders/orders-queries.ts';
import { WaitingOrders } from '../../features/transfers/orders/waiting-orders.tsx';
import { StopButton } from '../../features/transfers/stops/stop-button.tsx';
import { messageOf } from '../../lib/api/api-error.ts';
import { addSums } from '../../lib/format/figures.ts';
import { useAsOf } from '../../lib/live/freshness.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ToStatement } from '../../ui/figures/to-statement.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ToTraders } from './admin-page.tsx';

/** What the summary cards need of a community. */
const factsOf = ({ name, is_archived, total_aum, trader_count, split_percentage }: AdminCommunity) => ({
  name,
  isArchived: is_archived,
  totalAum: total_aum,
  traderCount: trader_count,
  splitPercentage: String(split_percentage),
});

const BOT_OF_NEW = {
  field: (
    <BotTokenField name="bot_token" hint="Optional: its own bot, which sells access. Stored encrypted." />
  ),
  connect: connectBot,
};

function Dashboard() {
  usePageTitle('Super Admin Dashboard');
  const navigate = useNavigate();
  const [{ archived }, change] = useScreenSearch(readDashboardSearch);
  const [paid, setPaid] = useState<AdminCommunity | null>(null);
  const { data, error, refetch } = useQuery(adminCommunitiesQuery);
  const pools = useQuery(activePoolsQuery);
  const frozen = useQuery(frozenWalletsQuery).data?.data;
  const orders = useQuery(waitingOrdersQuery());
  const addresses = useQuery(waitingAddressesQuery);
  // What waits, and whether the page has pools, decide where the rest is: all arrive at once, and nothing moves.
  const isReady =
    !pools.isPending && !orders.isPending && !addresses.isPending && (data !== undefined || error !== null);
  const communities = isReady ? data?.data : undefined;
  useAsOf(isReady ? data?.meta.totals_at : null);
  const figures = useMemo(() => communities && dashboardFigures(communities.map(factsOf)), [communities]);
  const sums = communities ? addSums(communities.filter(({ is_archived }) => !is_archived)) : null;
  const isFrozen = useCallback(
    (id: string) => frozen?.some(({ role, owner_id }) => role === 'community' && owner_id === id) ?? false,
    [frozen],
  );
  const providers = useQuery(providersQuery);
  const open = (communityId: string) =>
    void navigate({
      to: '/community-settings/$communityId',
      params: { communityId },
      state: { fromDashboard: true },
    });
  const closePayment = useCallback(() => setPaid(null), []);
  const problem = error && !data ? messageOf(error) : null;
  return (
    <Page>
      <PageHeader
        title="Super Admin Dashboard"
        facts={
          <p role="status" className="text-xs text-muted empty:hidden">
            {!isReady && 'Loading admin data...'}
          </p>
        }
        actions={
          <>
            <ToStatement kind="platform" id="own" />
            <StopButton />
          </>
        }
      />
      <div className="grid gap-2 empty:hidden">
        <AwaitingNotice />
        <WaitingOrders />
        <WaitingAddresses />
        <FrozenNotice nameOf={(id) => data?.data.find((community) => community.id === id)?.name} />
      </div>
      {problem === null && <SummaryCards figures={figures ?? null} sums={sums} />}
      <PoolsSection
        pools={isReady ? pools.data : undefined}
        readAt={pools.dataUpdatedAt}
        error={isReady ? pools.error : null}
        onRetry={() => void pools.refetch()}
        actions={
          communities &&
          pools.data && (
            <ConnectPoolButton
              communities={communities.filter(({ is_archived }) => !is_archived)}
              pools={pools.data}
            />
          )
        }
      />
      <CommunitiesPanel
        communities={communities}
        error={isReady ? problem : null}
        onRetry={() => void refetch()}
        hasArchived={archived === 'shown'}
        onArchivedChange={(isShown) => change({ archived: isShown ? 'shown' : undefined }, { replace: true })}
        isFrozen={isFrozen}
        actions={
          providers.data && (
            <NewCommunityButton
              bot={BOT_OF_NEW}
              providers={providers.data.filter(({ is_active }) => is_active)}
              onCreated={({ id }) => open(id)}
            />
          )
        }
        onOpen={({ id }) => open(id)}
        onDistribute={setPaid}
      />
      <ProvidersPanel isSuper />
      {paid && <DistributeDialog community={paid} onClose={closePayment} />}
    </Page>
  );
}

export default function SuperAdminScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Dashboard />
    </SuperOnly>
  );
}
