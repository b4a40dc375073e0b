import { useCallback, useMemo, useState } from 'react';
import { nextSort } from '../../../lib/url/sorting.ts';
import { mostDecimals } from '../../../ui/figures/money.tsx';
import { DataTable } from '../../../ui/table/data-table/data-table.tsx';
import {
  inOrder,
  LARGEST_FIRST,
  type LineColumn,
  type LineSort,
  rolesOf,
  type Selection,
} from '../distribute/selection.ts';
import type { PaidRecipient } from '../payouts-queries.ts';
import {
  cardPx,
  type RecipientHands,
  recipientCard,
  recipientColumns,
  type ShownColumn,
  type ShownLine,
} from './recipient-columns.tsx';

interface RecipientTableProps {
  label: string;
  lines: readonly ShownLine[];
  /** Addresses are whole, to be compared. */
  isWhole?: boolean;
  selection?: Selection;
  onToggle?(address: string): void;
  statusOf?(id: string): string | undefined;
  /** What was paid to an address before, in place of its number of shares. */
  paidOf?(address: string): PaidRecipient | undefined;
  onOpen?(line: ShownLine): void;
}

const ignore = () => {};
const isSortable = (column: ShownColumn): column is LineColumn =>
  column !== 'tick' && column !== 'status' && column !== 'paid';

/** Recipients and the amounts owed to them, in any number: to select, to check, or to follow. */
export function RecipientTable(props: RecipientTableProps) {
  const { label, lines, isWhole = false, selection, onToggle, statusOf, paidOf, onOpen } = props;
  const [sort, setSort] = useState<LineSort>(LARGEST_FIRST);
  const rows = useMemo(() => inOrder(lines, sort), [lines, sort]);
  const roles = useMemo(() => rolesOf(lines), [lines]);
  const places = useMemo(() => mostDecimals(lines.map(({ amount }) => amount)), [lines]);
  const hands = useMemo(
    (): RecipientHands => ({
      roles,
      places,
      isWhole,
      hasCommunity: lines.some(({ community }) => community !== undefined),
      ...(selection && { selection }),
      ...(onToggle && { onToggle }),
      ...(statusOf && { statusOf }),
      ...(paidOf && { paidOf }),
    }),
    [roles, places, isWhole, lines, selection, onToggle, statusOf, paidOf],
  );
  const hasShares = !paidOf && lines.some(({ payableCount }) => payableCount !== undefined);
  const columns = useMemo(() => recipientColumns(hands, hasShares), [hands, hasShares]);
  const card = useMemo(() => ({ height: cardPx(hands), render: recipientCard(hands) }), [hands]);
  const open = onToggle ? ({ recipientAddress }: ShownLine) => onToggle(recipientAddress) : onOpen;
  return (
    <DataTable
      label={label}
      columns={columns}
      rowCount={rows.length}
      rowAt={useCallback((index: number) => rows[index], [rows])}
      sort={sort}
      onSort={(column) => {
        if (isSortable(column)) setSort(nextSort(sort, column));
      }}
      {...(open && { onOpen: open })}
      {...(selection && {
        selectedOf: ({ recipientAddress }: ShownLine) => selection.has(recipientAddress),
      })}
      onRangeChange={ignore}
      card={card}
      compact
      resetKey={JSON.stringify(sort)}
      isStale={false}
    />
  );
}
