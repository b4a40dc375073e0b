import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import { PINNED } from './column-widths.ts';

/** What all rows that match add up to, on every page. */
export interface Sums<Id extends string> {
  /** In the first column that has a name and no sum. */
  label: string;
  cells: Partial<Record<Id, ReactNode>>;
}

interface SumRowProps<Row, Id extends string> {
  columns: readonly Column<Row, Id>[];
  sums: Sums<Id>;
  /** Counted from 1, as of every row. */
  rowIndex: number;
  /** The offsets of the columns that stay in view. */
  pins: ReadonlyMap<string, string>;
  tracks: string;
  /** The classes of the space between and beside the cells. */
  gap: string;
}

/** The last row of a table. It stays in view. */
export default function SumRow<Row, Id extends string>(props: SumRowProps<Row, Id>) {
  const { columns, sums, rowIndex, pins, tracks, gap } = props;
  const named = columns.find(({ id, isFixed }) => !isFixed && sums.cells[id] === undefined);
  return (
    <tr
      aria-rowindex={rowIndex}
      className={clsx('grid h-9 items-center border-t border-line bg-subtle font-semibold', gap)}
      style={{ gridTemplateColumns: tracks }}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={clsx(
            'min-w-0',
            pins.has(column.id) ? PINNED : 'truncate',
            column.align === 'end' && 'text-end tabular-nums',
          )}
          style={{ insetInlineStart: pins.get(column.id) }}
        >
          {column === named ? sums.label : sums.cells[column.id]}
        </td>
      ))}
    </tr>
  );
}
