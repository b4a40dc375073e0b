import { clsx } from 'clsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';

interface ListSkeletonProps<Row> {
  columns: readonly PlainColumn<Row>[];
  rows: number;
  text: string;
}

/** A list of a pool without rows. */
export function ListSkeleton<Row>({ columns, rows, text }: ListSkeletonProps<Row>) {
  const empty = columns.map((column) => ({
    ...column,
    cell: () => (
      <span className={clsx('flex h-4 items-center', column.align && 'justify-end')}>
        <span className="skeleton h-3 w-16 max-w-full" />
      </span>
    ),
  }));
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      <div aria-hidden="true">
        <PlainTable
          label=""
          columns={empty}
          rows={Array.from({ length: rows }, () => ({}) as Row)}
          keyOf={(_, index) => String(index)}
        />
      </div>
    </>
  );
}
