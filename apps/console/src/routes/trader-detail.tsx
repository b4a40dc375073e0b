import type { Trader } from '@copydesk/contract/traders';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { NotesPanel } from '../features/notes/notes.tsx';
import { StatementPanel } from '../features/pools/statement/statement-panel.tsx';
import { communitiesQuery } from '../features/providers/directory-queries.ts';
import { TimelinePanel } from '../features/timeline/timeline.tsx';
import { AuditPanel } from '../features/traders/detail/audit/audit-panel.tsx';
import { AumPanel } from '../features/traders/detail/aum/aum-panel.tsx';
import { historyList } from '../features/traders/detail/detail-search.ts';
import { ExchangeKeysPanel } from '../features/traders/detail/exchange-keys/exchange-keys-panel.tsx';
import { ClosedPositionsPanel } from '../features/traders/detail/history/closed-positions-panel.tsx';
import { historyFilters } from '../features/traders/detail/history/filters-from-search.ts';
import {
  DEFAULT_RANGE,
  PerformancePanel,
} from '../features/traders/detail/performance/performance-panel.tsx';
import { PositionsPanel } from '../features/traders/detail/positions/positions-panel.tsx';
import { ReferralLinkPanel } from '../features/traders/detail/referrals/referral-link-panel.tsx';
import { ReferralsPanel } from '../features/traders/detail/referrals/referrals-panel.tsx';
import { InvoicesPanel } from '../features/traders/detail/related/invoices-panel.tsx';
import { Timestamps } from '../features/traders/detail/related/timestamps.tsx';
import { StandingLine } from '../features/traders/detail/standing/standing-line.tsx';
import { TraderActs } from '../features/traders/detail/standing/trader-acts.tsx';
import { StatusPanel } from '../features/traders/detail/status/status-panel.tsx';
import { TraderHeader } from '../features/traders/detail/trader-header.tsx';
import { UserPanel } from '../features/traders/detail/user/user-panel.tsx';
import { VipPanel } from '../features/traders/detail/vip/vip-panel.tsx';
import { tradersKeys } from '../features/traders/traders-queries.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { Name } from '../ui/figures/linked.tsx';

const NotifyDialog = lazy(async () => ({
  default: (await import('../features/invoices/acts/notify-dialog.tsx')).NotifyDialog,
}));

/** A loaded trader: positions and history, with personal data beside them. */
export function TraderDetail({ trader, back }: { trader: Trader; back: ReactNode }) {
  const [search, change] = useScreenSearch(historyList.read, { inPlace: true });
  const session = useSession();
  const communities = useQuery(communitiesQuery);
  const { config } = useIdentity();
  const user = session.status === 'signed-in' ? session.user : null;
  const isSuper = user?.super ?? false;
  const viewer = { id: user?.id ?? '', isSuper, isPlatformSuperOnly: config.reveal_super_only };
  const { id, referrals, invoices } = trader;
  const { explorer_url: explorerUrl } = config;
  const [isWriting, setWriting] = useState(false);
  const historyColumns = useListLayout('closed_positions', search.saved);

  const community = communities.data?.find(({ id }) => id === trader.community_id);
  const communityName = communities.isPending ? (
    <span className="skeleton inline-block h-3 w-28" />
  ) : community && isSuper ? (
    <Name to={{ to: '/community-settings/$communityId', params: { communityId: community.id } }}>
      {community.name}
    </Name>
  ) : (
    <Name plain="Only super admins open a community">{community?.name ?? 'Unknown Community'}</Name>
  );
  return (
    <>
      <TraderHeader
        trader={trader}
        back={back}
        actions={<TraderActs trader={trader} isSuper={isSuper} onWrite={() => setWriting(true)} />}
      />
      <StandingLine trader={trader} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_19rem] xl:grid-rows-[auto_1fr]">
        <div className="grid content-start gap-4 sm:max-xl:grid-cols-2 xl:col-start-2">
          <StatusPanel trader={trader} />
          <AumPanel trader={trader} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <PositionsPanel trader={trader} />
          <ExchangeKeysPanel trader={trader} viewer={viewer} />
          <StatementPanel traderId={id} />
          <PerformancePanel
            traderId={id}
            range={search.range ?? DEFAULT_RANGE}
            month={search.month}
            onChange={change}
          />
          <OpensWithView screen="closed_positions" list={historyList}>
            <ClosedPositionsPanel
              trader={trader}
              filters={historyFilters(search)}
              onChange={change}
              arrangement={historyColumns}
              views={
                <ViewsButton
                  screen="closed_positions"
                  list={historyList}
                  search={search}
                  columns={historyColumns}
                  onApply={change}
                />
              }
            />
          </OpensWithView>
          {isSuper && <AuditPanel traderId={id} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-2">
          <UserPanel trader={trader} communityName={communityName} />
          <NotesPanel subject={{ subject_kind: 'trader', subject_id: id }} isSuper={isSuper} />
          <TimelinePanel
            kind="trader"
            id={id}
            under={tradersKeys.detail(id)}
            money="usd"
            explorerUrl={explorerUrl}
          />
          <VipPanel traderId={id} />
          <ReferralLinkPanel traderId={id} />
          {referrals && referrals.count > 0 && <ReferralsPanel trader={trader} referrals={referrals} />}
          {invoices && invoices.total_count > 0 && (
            <InvoicesPanel invoices={invoices} reference={trader.reference_number} />
          )}
          <Timestamps trader={trader} />
        </div>
      </div>
      {isWriting && (
        <Suspense fallback={null}>
          <NotifyDialog trader={trader} onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </>
  );
}
