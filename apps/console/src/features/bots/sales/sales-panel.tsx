import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { useMemo, useState } from 'react';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { SegmentedChoice } from '../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
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
  const query = useQuery(salesQuery(botId, state, page));
  const { data } = query;
  const columns = useMemo(() => saleColumns((act, sale) => setAsked({ act, sale })), []);
  const total = data?.meta.total ?? 0;
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
      <PagedTable
        label="Orders, newest first"
        columns={columns}
        keyOf={({ id }) => id}
        dimmedOf={({ status }) => status === 'cancelled'}
        what="orders"
        query={query}
        page={page}
        pageRows={SALE_PAGE_ROWS}
        onPage={setPage}
        loading={<Loading text="Loading orders..." />}
        empty={
          <MessagePanel
            icon={ShoppingCart}
            level={3}
            small
            title={state === 'all' ? 'No orders' : 'No orders in this state'}
            text="An unpaid order expires after a day."
          />
        }
      />
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
