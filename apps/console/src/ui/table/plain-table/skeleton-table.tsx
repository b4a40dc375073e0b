import type { ReactNode } from 'react';
import type { PlainColumn } from './plain-column.ts';
import { PlainTable } from './plain-table.tsx';

interface SkeletonTableProps<R> {
  columns: readonly PlainColumn<R>[];
  rows: number;
  cellOf?(column: PlainColumn<R>): ReactNode;
}

const bar = () => <span className="skeleton inline-block h-3 w-16" />;

/** A table before its rows arrive, in their shape. Announces nothing: the screen has the text. */
export function SkeletonTable<R>({ columns, rows, cellOf = bar }: SkeletonTableProps<R>) {
  return (
    <div aria-hidden="true" inert>
      <PlainTable
        label=""
        columns={columns.map((column) => ({ ...column, cell: () => cellOf(column) }))}
        rows={Array.from({ length: rows }, () => ({}) as R)}
        keyOf={(_, index) => String(index)}
      />
    </div>
  );
}
