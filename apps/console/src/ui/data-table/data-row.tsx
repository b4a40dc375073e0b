import { clsx } from 'clsx';
import { memo, type ReactNode } from 'react';
import type { Column } from './column.ts';

interface DataRowProps<Row, Id extends string> {
  index: number;
  /** Undefined while it is on its way. */
  row: Row | undefined;
  top: number;
  height: number;
  columns: readonly Column<Row, Id>[];
  tracks: string;
  /** Draws the row as a card in place of its cells. */
  card: ((row: Row, isActive: boolean) => ReactNode) | null;
  isActive: boolean;
}

function Cells<Row, Id extends string>({ row, columns, isActive }: DataRowProps<Row, Id>) {
  return columns.map((column) => (
    <td
      key={column.id}
      className={clsx('min-w-0 truncate', column.align === 'end' && 'text-right tabular-nums')}
    >
      {row === undefined ? (
        <span className={clsx('skeleton block h-3 w-24 max-w-full', column.align === 'end' && 'ml-auto')} />
      ) : (
        column.cell(row, isActive)
      )}
    </td>
  ));
}

function Row<R, Id extends string>(props: DataRowProps<R, Id>) {
  const { index, row, top, height, tracks, card, isActive } = props;
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      aria-busy={row === undefined || undefined}
      tabIndex={isActive ? 0 : -1}
      className={clsx(
        'absolute inset-x-0 top-0 cursor-default border-b border-line px-4 hover:bg-hover',
        'focus-visible:z-10 focus-visible:bg-accent-soft focus-visible:-outline-offset-2',
        card ? 'block py-3' : 'grid items-center gap-6',
        row !== undefined && 'cursor-pointer',
      )}
      style={{ height, transform: `translateY(${top}px)`, gridTemplateColumns: card ? undefined : tracks }}
    >
      {card ? (
        <td className="block">
          {row === undefined ? (
            <span className="block space-y-2 py-1">
              <span className="skeleton block h-3 w-40" />
              <span className="skeleton block h-3 w-56" />
            </span>
          ) : (
            card(row, isActive)
          )}
        </td>
      ) : (
        <Cells {...props} />
      )}
    </tr>
  );
}

export const DataRow = memo(Row) as typeof Row;
