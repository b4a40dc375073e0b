import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { SegmentedChoice } from '../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { Arrangement } from '../../../ui/table/plain-table/arranged-table.tsx';
import { PagedTable } from '../../../ui/table/plain-table/paged-table.tsx';
import { type Sale, salesQuery } from '../bot-queries.ts';
import { ApplyCouponDialog } from './apply-coupon-dialog.tsx';
import { NewOrderDialog } from './new-order-dialog.tsx';
import { type SaleAct, saleColumns } from './sale-columns.tsx';
import { SaleStatusDialog } from './sale-status-dialog.tsx';
import { SALE_STATES, type SalesFilters, type SalesSearch, salesList } from './sales-search.ts';

const STATES = [{ value: 'all', label: 'All' }, ...SALE_STATES] as const;
const { sizes: SIZES, rowsParam } = salesList;

interface SalesPanelProps {
  botId: string;
  filters: SalesFilters;
  onChange(change: SalesSearch): void;
  /** Beside the filters. */
  views: ReactNode;
  arrangement: Arrangement;
}

/** The orders of a bot, newest first. */
export function SalesPanel({ botId, filters, onChange, views, arrangement }: SalesPanelProps) {
  const { state, page, rows } = filters;
  const [asked, setAsked] = useState<{ act: SaleAct; sale: Sale } | 'new' | null>(null);
  const query = useQuery(salesQuery(botId, filters));
  const { data } = query;
  const columns = useMemo(() => saleColumns((act, sale) => setAsked({ act, sale })), []);
  const total = data?.meta.total ?? 0;
  const toPage = useCallback(
    (page: number) => onChange({ page: page === 1 ? undefined : String(page) }),
    [onChange],
  );
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
            value={state ?? 'all'}
            onChange={(value) => onChange({ state: value === 'all' ? undefined : value, page: undefined })}
          />
          {views}
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
        pageRows={rows}
        onPage={toPage}
        sizes={{ options: SIZES, onChange: (rows) => onChange(rowsParam(rows)) }}
        arrangement={arrangement}
        loading={<Loading text="Loading orders..." />}
        empty={
          <MessagePanel
            icon={ShoppingCart}
            level={3}
            small
            title={state === undefined ? 'No orders' : 'No orders in this state'}
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
