import { clsx } from 'clsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { YourPart } from '../../../ui/figures/your-part.tsx';
import { Fold } from './fold.tsx';
import { RowActions } from './invoice-columns.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { GroupBadges, InvoiceBadges } from './mark-badges.tsx';
import { paidWords } from './paid-texts.ts';
import { InvoiceName, nameOfGroup, PART_OF_INVOICES, traderWords } from './row-names.tsx';
import { Tick } from './tick.tsx';
import type { TreeRow } from './tree-rows.ts';
import { isOfOneStranger } from './unknown-group.ts';

export const GROUP_CARD_PX = 101;
const INVOICE_CARD_PX = 77;
const NOTE_CARD_PX = 56;

export function cardHeight(row: TreeRow | undefined): number {
  if (row?.kind === 'invoice' || row?.kind === 'pending') return INVOICE_CARD_PX;
  return row?.kind === 'more' || row?.kind === 'failed' ? NOTE_CARD_PX : GROUP_CARD_PX;
}

function GroupCard({ row, handlers, isActive }: CardProps & { row: TreeRow & { kind: 'group' } }) {
  const { group, isExpanded } = row;
  const isBelow = isOfOneStranger(group);
  return (
    <span className={clsx('flex flex-col gap-1', isBelow && 'ps-3')}>
      <span className="flex items-center gap-2">
        {handlers.isSuper && <Tick row={row} handlers={handlers} isActive={isActive} />}
        <Fold isExpanded={isExpanded} />
        <span className={clsx('truncate font-medium', !isBelow && 'font-mono text-sm')}>
          {nameOfGroup(group)}
        </span>
        <YourPart isPart={group.is_part} title={PART_OF_INVOICES} />
        <span className="ms-auto shrink-0 font-medium tabular-nums">
          <Money as="whole" isAsked amount={group.total_amount} />
        </span>
      </span>
      <span className="flex items-center justify-between gap-3 text-muted">
        <span className="truncate">
          {!isBelow && `${traderWords(group)} · `}
          <Count n={group.invoice_count} plain="The row unfolds them" />{' '}
          {group.invoice_count === 1 ? 'invoice' : 'invoices'}
        </span>
        <span className="shrink-0 text-xs tabular-nums">
          <Money as="whole" isAsked amount={group.on_chain_amount} title={paidWords(group)} /> on chain ·{' '}
          <Money as="whole" isAsked amount={group.provider_share} /> share
        </span>
      </span>
      <span className="flex h-7 items-center justify-between gap-2">
        <GroupBadges group={group} />
        <span className="flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
          <When at={group.created_at} as="day" />
          <RowActions row={row} handlers={handlers} tabIndex={isActive ? 0 : -1} />
        </span>
      </span>
    </span>
  );
}

function InvoiceCard({ row, handlers, isActive }: CardProps & { row: TreeRow & { kind: 'invoice' } }) {
  const { invoice } = row;
  return (
    <span className="flex flex-col gap-1 ps-2">
      <span className="flex items-center gap-2">
        {handlers.isSuper && <Tick row={row} handlers={handlers} isActive={isActive} />}
        <InvoiceName invoice={invoice} />
        <span className="ms-auto shrink-0 tabular-nums">
          <Money as="whole" isAsked amount={invoice.amount} />
        </span>
      </span>
      <span className="flex h-7 items-center justify-between gap-2">
        <InvoiceBadges invoice={invoice} hidesArchived={invoice.is_archived} />
        <span className="flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
          <When at={invoice.created_at} as="day" />
          <RowActions row={row} handlers={handlers} tabIndex={isActive ? 0 : -1} />
        </span>
      </span>
    </span>
  );
}

interface CardProps {
  handlers: ListHandlers;
  isActive: boolean;
}

/** A row at phone width. */
export function invoiceCard(handlers: ListHandlers) {
  return (row: TreeRow, isActive: boolean) => {
    if (row.kind === 'group') return <GroupCard row={row} handlers={handlers} isActive={isActive} />;
    if (row.kind === 'invoice') return <InvoiceCard row={row} handlers={handlers} isActive={isActive} />;
    return (
      <span className="block space-y-2 py-1">
        <span className="skeleton block h-3 w-40" />
        <span className="skeleton block h-3 w-56" />
      </span>
    );
  };
}
