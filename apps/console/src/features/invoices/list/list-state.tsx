import FileSearch from 'lucide-react/icons/file-search';
import ReceiptText from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { TableSkeleton } from '../../../ui/table/data-table/table-skeleton.tsx';
import type { InvoiceFilters } from '../invoices-search.ts';
import { GROUP_CARD_PX } from './invoice-cards.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { useTight } from './use-tight.ts';

interface ListStateProps {
  filters: InvoiceFilters;
  handlers: ListHandlers;
  isPanelOpen: boolean;
  /** Groups of the tab; null until known. */
  total: number | null;
  error: unknown;
  onRetry(): void;
  children: ReactNode;
}

const NONE_IN_TAB = {
  all: ['No invoices yet', 'Invoices appear here once closed positions are invoiced'],
  unpaid: ['No unpaid invoices', 'Everything is paid'],
  paid: ['No paid invoices', 'No group has all of its invoices paid yet'],
  archived: ['No archived invoices', 'Archived invoices appear here'],
} as const;

function isNarrowed({ tab: _tab, sort: _sort, rows: _rows, page: _page, ...narrowing }: InvoiceFilters) {
  return Object.values(narrowing).some((value) => value !== undefined);
}

/** Replaces the list while it is loading, empty or failed. */
export function ListState({
  filters,
  handlers,
  isPanelOpen,
  total,
  error,
  onRetry,
  children,
}: ListStateProps) {
  const isTight = useTight(isPanelOpen);
  const [title, text] = isNarrowed(filters)
    ? ['No invoices found', 'Try adjusting your filters']
    : NONE_IN_TAB[filters.tab];
  return (
    <QueryState
      error={error && total === null ? { title: 'Error loading invoices', message: messageOf(error) } : null}
      onRetry={onRetry}
      isLoading={total === null}
      loading={
        <>
          <TableSkeleton
            columns={invoiceColumns(handlers, isTight, null)}
            cardHeight={GROUP_CARD_PX}
            rows={filters.rows}
            compact
          />
          {/* Space for the pager. */}
          <div className="h-10 shrink-0" />
        </>
      }
      isEmpty={total === 0}
      empty={<MessagePanel icon={isNarrowed(filters) ? FileSearch : ReceiptText} title={title} text={text} />}
    >
      {children}
    </QueryState>
  );
}
