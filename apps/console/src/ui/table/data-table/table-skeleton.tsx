import { clsx } from 'clsx';
import type { Column } from './column.ts';

interface TableSkeletonProps {
  columns: readonly Pick<Column<never>, 'id' | 'header' | 'headerCell' | 'track' | 'align'>[];
  cardHeight: number;
  /** The expected number of rows, if known. */
  rows?: number;
  compact?: boolean;
}

/** The skeleton of a table whose rows are loading. Announces nothing: the screen has the text. */
export function TableSkeleton({ columns, cardHeight, rows = 24, compact }: TableSkeletonProps) {
  const gridTemplateColumns = columns.map((column) => column.track).join(' ');
  const line = clsx('hidden items-center border-b border-line px-4 md:grid', compact ? 'gap-4' : 'gap-6');
  return (
    <div aria-hidden="true" className="min-h-0 flex-1 overflow-hidden">
      <div
        className={clsx(line, 'h-9 bg-subtle text-xs font-medium text-muted')}
        style={{ gridTemplateColumns }}
      >
        {columns.map((column) => (
          <span key={column.id} className={clsx('truncate', column.align === 'end' && 'text-end')}>
            {column.headerCell === undefined && column.header}
          </span>
        ))}
      </div>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and none has state
        <div key={row}>
          <div className={clsx(line, 'h-10')} style={{ gridTemplateColumns }}>
            {columns.map((column) => (
              <span
                key={column.id}
                className={clsx('skeleton h-3 w-24 max-w-full', column.align === 'end' && 'ms-auto')}
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
