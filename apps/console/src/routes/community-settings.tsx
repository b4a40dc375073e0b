import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useCallback, useEffect } from 'react';
import { SubscriptionPanel } from '../features/billing/subscription-panel.tsx';
import { CommunityBotPanel } from '../features/bots/bot/community-bot-panel.tsx';
import { communityQuery } from '../features/communities/communities-queries.ts';
import { InvoiceSumsPanel } from '../features/communities/money/invoice-sums-panel.tsx';
import {
  CommunityPerformancePanel,
  DEFAULT_RANGE,
} from '../features/communities/performance/community-performance-panel.tsx';
import { CommunityProvidersPanel } from '../features/communities/providers/community-providers-panel.tsx';
import { CommunityError } from '../features/communities/settings/community-error.tsx';
import { CommunityHeader } from '../features/communities/settings/community-header.tsx';
import { CommunitySkeleton } from '../features/communities/settings/community-skeleton.tsx';
import { RemovalPanel } from '../features/communities/settings/removal-panel.tsx';
import { SettingsHistory } from '../features/communities/settings/settings-history.tsx';
import { SettingsPanel } from '../features/communities/settings/settings-panel.tsx';
import {
  COMMUNITY_TABS,
  type CommunityTab,
  readSettingsSearch,
  tabOf,
} from '../features/communities/settings-search.ts';
import { CommunityChecklist } from '../features/communities/setup/community-checklist.tsx';
import { SignupsPanel } from '../features/communities/signups/signups-panel.tsx';
import { CommunityTradersPanel } from '../features/communities/traders/community-traders-panel.tsx';
import { VipLevelsPanel } from '../features/communities/vip/vip-levels-panel.tsx';
import { useSession } from '../features/identity/identity-context.ts';
import { SuperOnly } from '../features/identity/super-only.tsx';
import { ChangedAddress } from '../features/payouts/addresses/changed-address.tsx';
import { PayoutAddressesPanel } from '../features/payouts/addresses/payout-addresses-panel.tsx';
import { DistributeButton } from '../features/payouts/distribute/distribute-button.tsx';
import { DistributionsPanel } from '../features/payouts/distributions/distributions-panel.tsx';
import { FrozenNotice } from '../features/payouts/frozen/frozen-notice.tsx';
import { WalletsPanel } from '../features/payouts/wallet/wallets-panel.tsx';
import { CommunityPoolPanel } from '../features/pools/community/community-pool-panel.tsx';
import { providersQuery } from '../features/providers/directory-queries.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { ToStatement } from '../ui/figures/to-statement.tsx';
import { Button } from '../ui/form/button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { CountTabs } from '../ui/table/count-tabs.tsx';

function Back({ look = 'outline' }: { look?: 'outline' | 'quiet' }) {
  const navigate = useNavigate();
  const router = useRouter();
  const goBack = () => {
    const { fromCommunities, fromDashboard } = router.history.location.state;
    if (fromCommunities || fromDashboard) router.history.back();
    else void navigate({ to: '/communities' });
  };
  return (
    <Button look={look} className={look === 'quiet' ? '-ms-3' : ''} onClick={goBack}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      Back
    </Button>
  );
}

const PANEL_ID = 'community-part';

const TAB_LABELS: Record<CommunityTab, string> = {
  overview: 'Overview',
  traders: 'Traders',
  money: 'Money',
  pool: 'Pool',
  bot: 'Bot',
  settings: 'Settings',
};

/** Facts beside what needs the width. On narrow screens the facts come first. */
function Columns({ side, main }: { side: ReactNode; main: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid content-start gap-4 sm:max-xl:grid-cols-2 xl:col-start-2">{side}</div>
      <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-start-1">{main}</div>
    </div>
  );
}

function CommunitySettings() {
  const { communityId } = useParams({ from: '/console/community-settings/$communityId' });
  const [search, change] = useScreenSearch(readSettingsSearch, { inPlace: true });
  const navigate = useNavigate();
  const session = useSession();
  const { data: community, error, refetch } = useQuery(communityQuery(communityId));
  const providers = useQuery(providersQuery);
  usePageTitle(community?.name ?? 'Community settings');

  // Once the payment is known, the URL stays that of the subscription.
  const forgetCheckout = useCallback(() => change({ checkout: undefined, tab: 'settings' }), [change]);

  // The heading arrives with the data: it takes the focus unless the reader has moved on.
  const isLoaded = community !== undefined;
  useEffect(() => {
    if (isLoaded && document.activeElement === document.body) document.querySelector('h1')?.focus();
  }, [isLoaded]);

  if (error && !community)
    return <CommunityError error={error} onRetry={() => void refetch()} back={<Back />} />;
  const tab = tabOf(search);
  // What the spec names on this screen is on its first tab, and where it belongs as well.
  const settingsPanel = community && (
    <SettingsPanel
      community={community}
      referrerNote={<ChangedAddress communityId={community.id} recipientType="community_referrer" />}
    />
  );
  const walletsPanel = community && (
    <WalletsPanel community={community} external={community.wallets.external} />
  );
  const removalPanel = community && (
    <RemovalPanel
      community={community}
      onDeleted={() => void navigate({ to: '/communities', replace: true })}
    />
  );
  return (
    <Page>
      {community ? (
        <>
          <CommunityHeader
            community={community}
            back={<Back look="quiet" />}
            actions={
              session.status === 'signed-in' && (
                <>
                  <ToStatement kind="community" id={community.id} />
                  <DistributeButton community={community} />
                </>
              )
            }
          />
          <div className="empty:hidden">
            <FrozenNotice communityId={community.id} nameOf={() => community.name} />
          </div>
          <div className="flex overflow-x-auto border-b border-line">
            <CountTabs
              label="Parts of the community"
              panelId={PANEL_ID}
              active={tab}
              tabs={COMMUNITY_TABS.map((id) => ({ id, label: TAB_LABELS[id] }))}
              onChange={(chosen) => change({ tab: chosen === 'overview' ? undefined : chosen })}
            />
          </div>
          <div role="tabpanel" id={PANEL_ID} aria-labelledby={`${PANEL_ID}-${tab}`}>
            {tab === 'overview' && (
              <Columns
                side={
                  <>
                    {settingsPanel}
                    {walletsPanel}
                  </>
                }
                main={
                  <>
                    <CommunityChecklist community={community} />
                    <CommunityPerformancePanel
                      communityId={community.id}
                      range={search.range ?? DEFAULT_RANGE}
                      onRange={(range) => change({ range })}
                    />
                    {removalPanel}
                  </>
                }
              />
            )}
            {tab === 'traders' && (
              <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
                <CommunityTradersPanel communityId={community.id} />
                <SignupsPanel communityId={community.id} />
                <VipLevelsPanel communityId={community.id} />
              </div>
            )}
            {tab === 'money' && (
              <Columns
                side={
                  <>
                    {walletsPanel}
                    <PayoutAddressesPanel community={community} providers={providers.data} />
                    <InvoiceSumsPanel communityId={community.id} />
                  </>
                }
                main={<DistributionsPanel communityId={community.id} />}
              />
            )}
            {tab === 'pool' && (
              <div className="max-w-xl">
                <CommunityPoolPanel community={community} />
              </div>
            )}
            {tab === 'bot' && (
              <div className="max-w-xl">
                <CommunityBotPanel community={community} />
              </div>
            )}
            {tab === 'settings' && (
              <Columns
                side={
                  <>
                    {settingsPanel}
                    <SubscriptionPanel
                      community={community}
                      isReturning={search.checkout === 'done'}
                      onSettled={forgetCheckout}
                    />
                  </>
                }
                main={
                  <>
                    <CommunityProvidersPanel
                      community={community}
                      providers={providers.data?.filter(({ is_active }) => is_active)}
                    />
                    <SettingsHistory communityId={community.id} />
                    {removalPanel}
                  </>
                }
              />
            )}
          </div>
        </>
      ) : (
        <>
          <p role="status" className="sr-only">
            Loading community...
          </p>
          <div className="flex h-12 items-center">
            <Back look="quiet" />
          </div>
          <CommunitySkeleton />
        </>
      )}
    </Page>
  );
}

export default function CommunitySettingsScreen() {
  return (
    <SuperOnly back={<Back />}>
      <CommunitySettings />
    </SuperOnly>
  );
}
