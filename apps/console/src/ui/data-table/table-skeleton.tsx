import { clsx } from 'clsx';
import type { Column } from './column.ts';

interface TableSkeletonProps {
  columns: readonly Pick<Column<never>, 'id' | 'header' | 'track' | 'align'>[];
  cardHeight: number;
}

const ROWS = Array.from({ length: 24 }, (_, index) => index);

/** The shape of a table whose rows are on their way. Says nothing itself: the screen has the words. */
export function TableSkeleton({ columns, cardHeight }: TableSkeletonProps) {
  const gridTemplateColumns = columns.map((column) => column.track).join(' ');
  return (
    <div aria-hidden="true" className="min-h-0 flex-1 overflow-hidden">
      <div
        className="hidden h-9 items-center gap-6 border-b border-line bg-subtle px-4 text-xs font-medium text-muted md:grid"
        style={{ gridTemplateColumns }}
      >
        {columns.map((column) => (
          <span key={column.id} className={clsx('truncate', column.align === 'end' && 'text-right')}>
            {column.header}
          </span>
        ))}
      </div>
      {ROWS.map((row) => (
        <div key={row}>
          <div
            className="hidden h-9 items-center gap-6 border-b border-line px-4 md:grid"
            style={{ gridTemplateColumns }}
          >
            {columns.map((column) => (
              <span
                key={column.id}
                className={clsx('skeleton h-3 w-24 max-w-full', column.align === 'end' && 'ml-auto')}
              />
            ))}
          </div>
          <div className="space-y-2 border-b border-line px-4 py-4 md:hidden" style={{ height: cardHeight }}>
            <span className="skeleton block h-3 w-40" />
            <span className="skeleton block h-3 w-56" />
          </div>
        </div>
      ))}
    </div>
  );
}
