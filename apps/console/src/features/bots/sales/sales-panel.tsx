import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { SegmentedChoice } from '../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SALE_PAGE_ROWS, type Sale, salesQuery } from '../bot-queries.ts';
import { ApplyCouponDialog } from './apply-coupon-dialog.tsx';
import { NewOrderDialog } from './new-order-dialog.tsx';
import { type SaleAct, saleColumns } from './sale-columns.tsx';
import { SaleStatusDialog } from './sale-status-dialog.tsx';

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;
type State = (typeof STATES)[number]['value'];

/** The orders of a bot, newest first. */
export function SalesPanel({ botId }: { botId: string }) {
  const [state, setState] = useState<State>('all');
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<{ act: SaleAct; sale: Sale } | 'new' | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery(salesQuery(botId, state, page));
  const columns = useMemo(() => saleColumns((act, sale) => setAsked({ act, sale })), []);
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: SALE_PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  const close = () => setAsked(null);
  return (
    <Panel
      title="Orders"
      flush
      count={data && total}
      actions={
        <>
          <SegmentedChoice
            label="State of the orders"
            options={STATES}
            value={state}
            onChange={(value) => {
              setState(value);
              setPage(1);
            }}
          />
          <Button className="h-7!" onClick={() => setAsked('new')}>
            <Plus className="size-4" aria-hidden="true" />
            New order
          </Button>
        </>
      }
    >
      <QueryState
        small
        error={error && !data ? { title: 'The orders could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading orders..." />}
        isEmpty={data?.data.length === 0}
        empty={
          <MessagePanel
            icon={ShoppingCart}
            level={3}
            small
            title={state === 'all' ? 'No orders' : 'No orders in this state'}
            text="An unpaid order expires after a day."
          />
        }
      >
        <PlainTable
          label="Orders, newest first"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          dimmedOf={({ status }) => status === 'cancelled'}
          isStale={isPlaceholderData}
        />
        {total > SALE_PAGE_ROWS && (
          <Pager page={page} pageRows={SALE_PAGE_ROWS} total={total} onChange={setPage} />
        )}
      </QueryState>
      {asked === 'new' && <NewOrderDialog botId={botId} onClose={close} />}
      {asked !== null && asked !== 'new' && asked.act === 'coupon' && (
        <ApplyCouponDialog sale={asked.sale} onClose={close} />
      )}
      {asked !== null && asked !== 'new' && asked.act !== 'coupon' && (
        <SaleStatusDialog sale={asked.sale} status={asked.act} onClose={close} />
      )}
    </Panel>
  );
}
