import { type RefObject, useCallback, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { Chosen } from '../acts/act.ts';
import type { ActHandlers } from '../acts/act-handlers.ts';
import { BulkBar } from '../acts/bulk-bar.tsx';
import {
  type InvoiceFilters,
  type InvoicesSearch,
  PAGE_SIZES,
  rowsParam,
  sortParams,
} from '../invoices-search.ts';
import { InvoicesTable, type InvoicesTableProps } from './invoices-table.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { ListState } from './list-state.tsx';
import { isEmpty } from './selection.ts';
import type { useInvoiceList } from './use-invoice-list.ts';

interface InvoiceListProps extends ActHandlers {
  list: ReturnType<typeof useInvoiceList>;
  arrangement: InvoicesTableProps['arrangement'];
  filters: InvoiceFilters;
  isSuper: boolean;
  openId: string | undefined;
  element: RefObject<HTMLDivElement | null>;
  /** The panel of the selected tab. */
  panel: { id: string; labelledBy: string };
  onNotifyAll(chosen: Chosen): void;
  onChange(change: InvoicesSearch): void;
  onOpen(invoiceId: string): void;
}

/** The table of groups with its pager, and the actions on the selected ones. */
export function InvoiceList(props: InvoiceListProps) {
  const { list, filters, isSuper, openId, onAct, onNotify, onChange } = props;
  const { page, ticking, folding } = list;
  const { selection, onTickGroup, onTickInvoice, clear } = ticking;
  const handlers: ListHandlers = useMemo(
    () => ({ isSuper, selection, onTickGroup, onTickInvoice, onAct, onNotify }),
    [isSuper, selection, onTickGroup, onTickInvoice, onAct, onNotify],
  );
  const total = page?.meta.total ?? null;
  const toPage = useCallback((to: number) => onChange({ page: to > 1 ? String(to) : undefined }), [onChange]);
  const { page: at, rows } = filters;
  useLastPage({ page: at, rows, total: list.isStale ? undefined : page?.meta.total }, toPage);
  const chosen = {
    groups: [...selection.groups.values()],
    invoices: [...selection.invoices.values()],
    allBut:
      selection.allBut && [...selection.allBut].map(([reference, traderId]) => ({ reference, traderId })),
  };
  return (
    <div
      ref={props.element}
      role="tabpanel"
      id={props.panel.id}
      aria-labelledby={props.panel.labelledBy}
      className="relative flex max-h-full min-w-0 flex-1 flex-col self-start overflow-hidden border border-line bg-surface max-sm:-mx-4 max-sm:min-h-full max-sm:border-x-0 max-sm:border-b-0 sm:rounded-lg"
    >
      <ListState
        filters={filters}
        handlers={handlers}
        isPanelOpen={openId !== undefined}
        total={total}
        error={list.error}
        onRetry={list.retry}
      >
        <InvoicesTable
          rows={list.rows}
          arrangement={props.arrangement}
          groups={list.groups}
          filters={filters}
          handlers={handlers}
          openId={openId}
          resetKey={list.key}
          isStale={list.isStale}
          onSort={(sort) => onChange(sortParams(sort))}
          onToggle={folding.toggle}
          onToggleAll={folding.toggleAll}
          onMore={folding.showMore}
          onOpen={({ id }) => props.onOpen(id)}
          onTickPage={ticking.onTickPage}
          onRangeChange={list.setRange}
        />
        {list.error !== null && (
          <div
            role="alert"
            className="flex items-center justify-between gap-4 border-t border-line px-4 py-2"
          >
            <span className="text-negative">Error loading invoices: {messageOf(list.error)}</span>
            <Button onClick={list.retry}>Retry</Button>
          </div>
        )}
        {/* The last row has its own border. */}
        <div className="-mt-px">
          <Pager
            page={filters.page}
            pageRows={filters.rows}
            total={total ?? 0}
            onChange={toPage}
            sizes={{ options: PAGE_SIZES, onChange: (rows) => onChange(rowsParam(rows)) }}
          />
        </div>
      </ListState>
      {isSuper && !isEmpty(selection) && (
        <BulkBar
          chosen={chosen}
          filters={filters}
          isArchive={filters.tab === 'archived'}
          total={total ?? 0}
          onSelectAll={ticking.selectAll}
          onNotify={() => props.onNotifyAll(chosen)}
          onAct={onAct}
          onSelectPage={() => ticking.onTickPage(true)}
          onClear={clear}
        />
      )}
    </div>
  );
}
