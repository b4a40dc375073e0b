import { shortId } from '@copydesk/domain/money';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { Column } from '../../../ui/table/data-table/column.ts';
import { GroupMenu } from '../acts/group-menu.tsx';
import { InvoiceMenu } from '../acts/invoice-menu.tsx';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import type { SortColumn } from '../invoices-search.ts';
import { Fold } from './fold.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { GroupBadges, InvoiceBadges } from './mark-badges.tsx';
import { paidWords } from './paid-texts.ts';
import { GroupName, InvoiceName } from './row-names.tsx';
import { Tick } from './tick.tsx';
import type { TreeRow } from './tree-rows.ts';

export type InvoiceColumn = SortColumn | 'select' | 'name' | 'count' | 'state' | 'paid' | 'share' | 'menu';
type Cells = Column<TreeRow, InvoiceColumn>;

/** A cell with one renderer for groups and one for invoices; a loading row shows a skeleton. */
function cell(ofGroup: (group: InvoiceGroup) => ReactNode, ofInvoice: (invoice: Invoice) => ReactNode) {
  return (row: TreeRow) => {
    if (row.kind === 'group') return ofGroup(row.group);
    if (row.kind === 'invoice') return ofInvoice(row.invoice);
    return <span className="skeleton inline-block h-3 w-4/5 max-w-28 align-middle" />;
  };
}

const date = (iso: string) => <When at={iso} as="day" />;

/**
 * Groups and their invoices share the columns, so that comparable figures are aligned.
 * @param isTight whether the table scrolls sooner: no column vanishes
 */
export function invoiceColumns(
  handlers: ListHandlers,
  isTight: boolean,
  pageTools: ReactNode,
): readonly Cells[] {
  return [
    {
      id: 'select',
      isFixed: true,
      header: 'Selection',
      headerCell: pageTools,
      track: handlers.isSuper ? '2.75rem' : '1rem',
      cell: (row, isActive) => (
        <span className={clsx('flex items-center gap-2', row.kind === 'invoice' && 'justify-end')}>
          {handlers.isSuper && <Tick row={row} handlers={handlers} isActive={isActive} />}
          {row.kind === 'group' && <Fold isExpanded={row.isExpanded} />}
        </span>
      ),
    },
    {
      id: 'name',
      header: 'Reference Number',
      track: 'minmax(9rem, 1.4fr)',
      isPinned: true,
      cell: cell(
        (group) => <GroupName group={group} />,
        (invoice) => <InvoiceName invoice={invoice} />,
      ),
    },
    {
      id: 'count',
      header: 'Invoices',
      track: '5.25rem',
      align: 'end',
      cell: cell(
        (group) => <Count n={group.invoice_count} plain="The row unfolds them" />,
        (invoice) => (
          <span className="font-mono text-sm text-muted" title={invoice.id}>
            {shortId(invoice.id)}
          </span>
        ),
      ),
    },
    {
      id: 'state',
      header: 'Status',
      track: isTight ? 'minmax(11rem, 1fr)' : 'minmax(12.5rem, 1fr)',
      cell: cell(
        (group) => <GroupBadges group={group} />,
        (invoice) => <InvoiceBadges invoice={invoice} hidesArchived={invoice.is_archived} />,
      ),
    },
    {
      id: 'amount',
      header: 'Total',
      track: '4.75rem',
      align: 'end',
      sortable: true,
      cell: cell(
        (group) => (
          <span className="font-medium">
            <Money as="whole" isAsked amount={group.total_amount} />
          </span>
        ),
        (invoice) => <Money as="whole" isAsked amount={invoice.amount} />,
      ),
    },
    {
      id: 'paid',
      header: 'On chain',
      track: '4.75rem',
      align: 'end',
      cell: cell(
        (group) => <Money as="whole" isAsked amount={group.on_chain_amount} title={paidWords(group)} />,
        (invoice) => (
          <Money
            as="whole"
            isAsked
            amount={invoice.on_chain_amount}
            title={paidWords(invoice)}
            className={invoice.on_chain_amount === '0' ? 'text-muted' : undefined}
          />
        ),
      ),
    },
    {
      id: 'share',
      header: 'Provider share',
      track: '5.5rem',
      align: 'end',
      cell: cell(
        (group) => <Money as="whole" isAsked amount={group.provider_share} />,
        (invoice) => <Money as="whole" isAsked amount={invoice.provider_share} />,
      ),
    },
    {
      id: 'created_at',
      header: 'Created Date',
      track: '6.25rem',
      align: 'end',
      sortable: true,
      cell: cell(
        (group) => date(group.created_at),
        (invoice) => date(invoice.created_at),
      ),
    },
    {
      id: 'updated_at',
      header: 'Updated Date',
      track: '6.25rem',
      align: 'end',
      sortable: true,
      cell: cell(
        (group) => date(group.updated_at),
        (invoice) => date(invoice.updated_at),
      ),
    },
    {
      id: 'menu',
      isFixed: true,
      header: 'Actions',
      headerCell: <span className="sr-only">Actions</span>,
      track: handlers.isSuper ? '1.75rem' : '4.5rem',
      align: 'end',
      cell: (row, isActive) => <RowActions row={row} handlers={handlers} tabIndex={isActive ? 0 : -1} />,
    },
  ];
}

/** The actions of a row. Only super admins may change a single invoice. */
export function RowActions({
  row,
  handlers,
  tabIndex,
}: {
  row: TreeRow;
  handlers: ListHandlers;
  tabIndex: number;
}) {
  if (row.kind === 'group') return <GroupMenu group={row.group} tabIndex={tabIndex} {...handlers} />;
  if (row.kind !== 'invoice') return null;
  if (!handlers.isSuper) return <span className="text-xs text-muted">Admin only</span>;
  return <InvoiceMenu invoice={row.invoice} tabIndex={tabIndex} {...handlers} />;
}
