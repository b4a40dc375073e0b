import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { type Order, orderQuery } from '../../features/bots/bot-queries.ts';
import { ApplyCouponDialog } from '../../features/bots/sales/apply-coupon-dialog.tsx';
import { OrderFacts } from '../../features/bots/sales/order-facts.tsx';
import { orderSteps } from '../../features/bots/sales/order-steps.tsx';
import { type SaleAct, SaleActs } from '../../features/bots/sales/sale-columns.tsx';
import { SaleStatusDialog } from '../../features/bots/sales/sale-status-dialog.tsx';
import { buyerName, saleState } from '../../features/bots/sales/sale-texts.ts';
import { useIdentity } from '../../features/identity/identity-context.ts';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { invoicesKeys } from '../../features/invoices/invoices-keys.ts';
import { invoiceQuery } from '../../features/invoices/panel/invoice-query.ts';
import { Payments } from '../../features/invoices/panel/payments.tsx';
import { TimelinePanel } from '../../features/timeline/timeline.tsx';
import { messageOf } from '../../lib/api/api-error.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { AwaitingApproval } from '../../ui/feedback/awaiting-approval.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { Steps } from '../../ui/figures/steps.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';

const BACK =
  '-ms-2 inline-flex h-8 items-center gap-2 rounded-md px-2 font-medium text-muted hover:bg-subtle hover:text-ink';

/** To the bot that sold it; to all bots while it is not known. */
function Back({ order }: { order?: Order }) {
  const arrow = <ArrowLeft className="size-4" aria-hidden="true" />;
  return order ? (
    <Link
      to="/community-settings/$communityId/bot"
      params={{ communityId: order.community_id }}
      className={BACK}
    >
      {arrow}
      Bot
    </Link>
  ) : (
    <Link to="/bots" className={BACK}>
      {arrow}
      Bots
    </Link>
  );
}

/** What came in for it: the payments of its invoice. */
function Money({ id }: { id: string }) {
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(id));
  const explorerUrl = useIdentity().config.explorer_url;
  return (
    <QueryState
      small
      error={
        error && !invoice ? { title: 'The payments could not be loaded', message: messageOf(error) } : null
      }
      onRetry={() => void refetch()}
      isLoading={!invoice}
      loading={<Loading text="Loading payments..." />}
      isEmpty={false}
      empty={null}
    >
      {invoice && (
        <Panel title="Payments">
          <Payments invoice={invoice} explorerUrl={explorerUrl} />
        </Panel>
      )}
    </QueryState>
  );
}

function BotOrder() {
  const { orderId } = useParams({ from: '/console/bots/orders/$orderId' });
  const { data: order, error, refetch } = useQuery(orderQuery(orderId));
  const explorerUrl = useIdentity().config.explorer_url;
  const [asked, setAsked] = useState<{ act: SaleAct; order: Order } | null>(null);
  usePageTitle(order ? `Order of ${buyerName(order)}` : 'Order');
  if (error && !order)
    return (
      <RecordProblem
        error={error}
        missing={{ title: 'Order not found', text: 'This order of a bot could not be found.' }}
        failed="The order could not be loaded"
        onRetry={() => void refetch()}
      >
        <Back />
      </RecordProblem>
    );
  if (!order)
    return (
      <Page>
        <div className="flex h-12 items-center">
          <Back />
        </div>
        <Loading text="Loading order..." />
      </Page>
    );
  const { text, tone } = saleState(order);
  const close = () => setAsked(null);
  return (
    <Page>
      <PageHeader
        back={<Back order={order} />}
        title={
          <>
            Order of{' '}
            <bdi>
              <Name plain="The facts below lead to the buyer">{buyerName(order)}</Name>
            </bdi>
          </>
        }
        facts={order.is_awaiting_approval ? <AwaitingApproval /> : <State tone={tone}>{text}</State>}
        actions={<SaleActs sale={order} onAct={(act) => setAsked({ act, order })} />}
        note={
          order.revived_at !== null &&
          'It had ended, and a payment of its amount arrived afterwards and paid it.'
        }
      />
      <Panel title="Progress">
        <Steps label="Progress of the order" steps={orderSteps(order, Date.now())} />
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title="Order">
          <OrderFacts order={order} />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <Money id={order.id} />
          <TimelinePanel
            kind="invoice"
            id={order.id}
            under={invoicesKeys.detail(order.id)}
            money="usd"
            explorerUrl={explorerUrl}
          />
        </div>
      </div>
      {asked?.act === 'coupon' && <ApplyCouponDialog sale={asked.order} onClose={close} />}
      {asked && asked.act !== 'coupon' && (
        <SaleStatusDialog sale={asked.order} status={asked.act} onClose={close} />
      )}
    </Page>
  );
}

export default function BotOrderScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <BotOrder />
    </SuperOnly>
  );
}
