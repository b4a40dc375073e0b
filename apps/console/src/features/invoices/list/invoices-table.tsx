import { useCallback, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { nextSort } from '../../../lib/url/sorting.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { DataTable, type DataTableProps } from '../../../ui/table/data-table/data-table.tsx';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { type InvoiceFilters, type InvoicesSort, SORT_COLUMNS } from '../invoices-search.ts';
import { FoldAll } from './fold.tsx';
import { STEP_ROWS } from './group-invoices-query.ts';
import { cardHeight, invoiceCard } from './invoice-cards.tsx';
import { type InvoiceColumn, invoiceColumns } from './invoice-columns.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { extentOf, isTicked } from './selection.ts';
import type { TreeRow } from './tree-rows.ts';
import { isOfStrangers } from './unknown-group.ts';
import { useTight } from './use-tight.ts';

export interface InvoicesTableProps {
  arrangement: DataTableProps<TreeRow, InvoiceColumn>['arrangement'];
  rows: readonly TreeRow[];
  groups: readonly InvoiceGroup[];
  filters: InvoiceFilters;
  handlers: ListHandlers;
  /** The invoice open beside the list. */
  openId: string | undefined;
  resetKey: string;
  isStale: boolean;
  onSort(sort: InvoicesSort): void;
  onToggle(group: InvoiceGroup, isExpanded?: boolean): void;
  onToggleAll(isExpanded: boolean): void;
  onMore(group: InvoiceGroup): void;
  onOpen(invoice: Invoice): void;
  onTickPage(isOn: boolean): void;
  onRangeChange(range: { first: number; last: number }): void;
}

/** Groups that unfold into their invoices. The Right and Left keys also unfold and fold, `x` selects. */
export function InvoicesTable(props: InvoicesTableProps) {
  const { rows, groups, filters, handlers, openId, onToggle, onToggleAll, onTickPage } = props;
  const { sort } = filters;
  const extents = groups
    .filter((group) => !isOfStrangers(group))
    .map((group) => extentOf(handlers.selection, group));
  const isAll = extents.length > 0 && extents.every((extent) => extent === 'all');
  const isSome = extents.some((extent) => extent !== 'none');
  const isUnfolded = rows.some((row) => row.kind === 'group' && row.isExpanded);
  const isTight = useTight(openId !== undefined);
  const columns = useMemo(
    () =>
      invoiceColumns(
        handlers,
        isTight,
        <span className="flex items-center gap-2">
          {handlers.isSuper && (
            <Checkbox label="Select page" checked={isAll} isPartial={isSome} onChange={onTickPage} />
          )}
          <FoldAll isExpanded={isUnfolded} onClick={() => onToggleAll(!isUnfolded)} />
        </span>,
      ),
    [handlers, isTight, isAll, isSome, onTickPage, isUnfolded, onToggleAll],
  );
  const card = useMemo(() => ({ height: cardHeight, render: invoiceCard(handlers) }), [handlers]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);

  const isSelected = (row: TreeRow) => {
    if (row.kind === 'group') return extentOf(handlers.selection, row.group) === 'all';
    return row.kind === 'invoice' && isTicked(handlers.selection, row.group, row.invoice);
  };
  const open = (row: TreeRow) => {
    if (row.kind === 'group') onToggle(row.group);
    else if (row.kind === 'invoice') props.onOpen(row.invoice);
    else if (row.kind === 'more') props.onMore(row.group);
    else if (row.kind === 'failed') row.retry();
  };
  return (
    <DataTable
      label="Invoices by reference number"
      columns={columns}
      arrangement={props.arrangement}
      rowCount={rows.length}
      rowAt={rowAt}
      sort={sort}
      onSort={(column) => {
        const sortable = SORT_COLUMNS.find((name) => name === column);
        if (sortable) props.onSort(nextSort(sort, sortable));
      }}
      onOpen={open}
      onRangeChange={props.onRangeChange}
      card={card}
      compact
      placeOf={(row) => ({
        level: row.level,
        isExpanded: row.kind === 'group' ? row.isExpanded : undefined,
        isSelected: handlers.isSuper ? isSelected(row) : undefined,
        isLoading: row.kind === 'pending',
        isCurrent: row.kind === 'invoice' && row.invoice.id === openId,
      })}
      fill={(row, isActive) =>
        row.kind === 'more' || row.kind === 'failed' ? (
          <NoteRow row={row} tabIndex={isActive ? 0 : -1} onMore={() => props.onMore(row.group)} />
        ) : null
      }
      onRowKey={(row, { key, code }) => {
        if (row.kind === 'group' && (key === 'ArrowRight' || key === 'ArrowLeft')) {
          onToggle(row.group, key === 'ArrowRight');
          return true;
        }
        if (code !== 'KeyX' || !handlers.isSuper) return false;
        if (row.kind === 'group' && !isOfStrangers(row.group)) handlers.onTickGroup(row.group);
        else if (row.kind === 'invoice') handlers.onTickInvoice(row.group, row.invoice);
        return true;
      }}
      resetKey={props.resetKey}
      isStale={props.isStale}
    />
  );
}

interface NoteRowProps {
  row: TreeRow & { kind: 'more' | 'failed' };
  tabIndex: number;
  onMore(): void;
}

/** A row within a group that replaces invoices: there are more, or they could not be loaded. */
function NoteRow({ row, tabIndex, onMore }: NoteRowProps) {
  if (row.kind === 'failed') {
    return (
      <span role="alert" className="flex items-center gap-3 ps-15 text-negative">
        <span className="truncate">Error loading invoices: {messageOf(row.error)}</span>
        <Button className="h-6! text-xs!" tabIndex={tabIndex} onClick={row.retry}>
          Retry
        </Button>
      </span>
    );
  }
  return (
    <span className="flex items-center ps-15">
      <Button look="quiet" className="-ms-2 h-6! px-2! text-xs!" tabIndex={tabIndex} onClick={onMore}>
        Show {formatCount(Math.min(STEP_ROWS, row.left))} more of {formatCount(row.left)}
        {isOfStrangers(row.group) && ' traders'}
      </Button>
    </span>
  );
}
