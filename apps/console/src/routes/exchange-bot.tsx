import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Bot from 'lucide-react/icons/bot';
import { useCallback, useMemo, useState } from 'react';
import { FailedMessagesPanel } from '../features/bots/answers/failed-messages-panel.tsx';
import { BotPanel } from '../features/bots/bot/bot-panel.tsx';
import { ConnectBotDialog } from '../features/bots/bot/connect-bot-dialog.tsx';
import { communityBotQuery, countSalesQuery } from '../features/bots/bot-queries.ts';
import { CouponsPanel } from '../features/bots/offers/coupons-panel.tsx';
import { FaqsPanel } from '../features/bots/offers/faqs-panel.tsx';
import { PlansPanel } from '../features/bots/offers/plans-panel.tsx';
import { FiguresPanel } from '../features/bots/sales/figures-panel.tsx';
import { SalesPanel } from '../features/bots/sales/sales-panel.tsx';
import { type SalesSearch, salesList } from '../features/bots/sales/sales-search.ts';
import { SubscribersPanel } from '../features/bots/sales/subscribers-panel.tsx';
import { communityQuery } from '../features/communities/communities-queries.ts';
import { SuperOnly } from '../features/identity/super-only.tsx';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Loading } from '../ui/feedback/loading.tsx';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { RecordProblem } from '../ui/feedback/record-problem.tsx';
import { Name } from '../ui/figures/linked.tsx';
import { Button } from '../ui/form/button.tsx';
import { Page, PageHeader } from '../ui/layout/page.tsx';
import { ToTraders } from './admin/admin-page.tsx';

const FROM = '/console/community-settings/$communityId/bot';

function Back() {
  const { communityId } = useParams({ from: FROM });
  return (
    <Link
      to="/community-settings/$communityId"
      params={{ communityId }}
      search={{ tab: 'bot' }}
      className="-ms-2 inline-flex h-8 items-center gap-2 rounded-md px-2 font-medium text-muted hover:bg-subtle hover:text-ink"
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      Community
    </Link>
  );
}

function ExchangeBot() {
  const { communityId } = useParams({ from: FROM });
  const community = useQuery(communityQuery(communityId));
  const bot = useQuery(communityBotQuery(communityId));
  const [isAsked, setAsked] = useState(false);
  const [search, changeSales] = useScreenSearch<SalesSearch>(salesList.read);
  const sales = useMemo(() => salesList.complete(search), [search]);
  const saleColumns = useListLayout('sales', search.saved);
  const subscriberColumns = useListLayout('subscribers', undefined);
  const countOf = useCallback((view: string) => countSalesQuery(bot.data?.id ?? '', view), [bot.data?.id]);
  usePageTitle(community.data ? `Exchange bot of ${community.data.name}` : 'Exchange bot');
  const failed = [community, bot].find(({ error, data }) => error && data === undefined);
  if (failed?.error)
    return (
      <RecordProblem
        error={failed.error}
        missing={{ title: 'Community Not Found', text: 'The requested community could not be found.' }}
        failed="The bot could not be loaded"
        onRetry={() => void Promise.all([community.refetch(), bot.refetch()])}
      >
        <Back />
      </RecordProblem>
    );
  return (
    <Page>
      {!community.data || bot.data === undefined ? (
        <>
          <div className="flex h-12 items-center">
            <Back />
          </div>
          <Loading text="Loading bot..." />
        </>
      ) : (
        <>
          <PageHeader
            back={<Back />}
            title="Exchange Bot"
            facts={
              <p className="text-muted">
                <Name to={{ to: '/community-settings/$communityId', params: { communityId } }}>
                  {community.data.name}
                </Name>
              </p>
            }
            actions={
              bot.data && (
                <Link
                  to="/messages/bots"
                  search={{ community: communityId }}
                  className="inline-flex h-8 items-center rounded-md border border-line-strong bg-surface px-3 font-medium hover:bg-hover"
                >
                  All messages
                </Link>
              )
            }
          />
          {bot.data === null ? (
            <MessagePanel
              icon={Bot}
              title="No bot connected"
              text="Create a bot with @BotFather in Telegram, then connect it here with its token."
            >
              {!community.data.is_archived && (
                <Button look="primary" onClick={() => setAsked(true)}>
                  Connect bot
                </Button>
              )}
            </MessagePanel>
          ) : (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
              <div className="min-w-0 xl:col-start-2">
                <div className="flex flex-col gap-4">
                  <BotPanel bot={bot.data} />
                  <FiguresPanel botId={bot.data.id} />
                  <FailedMessagesPanel botId={bot.data.id} />
                </div>
              </div>
              <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-start-1">
                <SalesPanel
                  botId={bot.data.id}
                  filters={sales}
                  onChange={changeSales}
                  arrangement={saleColumns}
                  views={
                    <ViewsButton
                      screen="sales"
                      list={salesList}
                      search={search}
                      columns={saleColumns}
                      countOf={countOf}
                      onApply={changeSales}
                    />
                  }
                />
                <PlansPanel bot={bot.data} />
                <CouponsPanel botId={bot.data.id} />
                <FaqsPanel botId={bot.data.id} language={bot.data.language} />
                <SubscribersPanel botId={bot.data.id} arrangement={subscriberColumns} />
              </div>
            </div>
          )}
          {isAsked && <ConnectBotDialog community={community.data} onClose={() => setAsked(false)} />}
        </>
      )}
    </Page>
  );
}

export default function ExchangeBotScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <OpensWithView screen="sales" list={salesList}>
        <ExchangeBot />
      </OpensWithView>
    </SuperOnly>
  );
}
