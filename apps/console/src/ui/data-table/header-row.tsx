import { clsx } from 'clsx';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { Sort } from '../../lib/sorting.ts';
import type { Column } from './column.ts';

interface HeaderRowProps<Row, Id extends string> {
  columns: readonly Column<Row, Id>[];
  tracks: string;
  sort: Sort<Id>;
  onSort(column: Id): void;
}

const WORDS = { asc: 'ascending', desc: 'descending' } as const;

export function HeaderRow<Row, Id extends string>({
  columns,
  tracks,
  sort,
  onSort,
}: HeaderRowProps<Row, Id>) {
  return (
    <tr
      aria-rowindex={1}
      className="grid h-9 items-center gap-6 border-b border-line bg-subtle px-4 text-xs font-medium text-muted"
      style={{ gridTemplateColumns: tracks }}
    >
      {columns.map((column) => {
        const direction = sort.column === column.id ? sort.direction : null;
        const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
        return (
          <th
            key={column.id}
            scope="col"
            aria-sort={column.sortable ? (direction ? WORDS[direction] : 'none') : undefined}
            className={clsx('min-w-0 font-medium', column.align === 'end' ? 'text-right' : 'text-left')}
          >
            {column.sortable ? (
              <button
                type="button"
                onClick={() => onSort(column.id)}
                className={clsx(
                  'group/sort -mx-1.5 inline-flex h-7 max-w-[calc(100%+0.75rem)] items-center gap-1 rounded px-1.5 hover:text-ink',
                  column.align === 'end' && 'flex-row-reverse',
                  direction && 'text-ink',
                )}
              >
                <span className="truncate">{column.header}</span>
                <Arrow
                  aria-hidden="true"
                  className={clsx(
                    'size-3 shrink-0',
                    direction
                      ? 'text-accent'
                      : 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
                  )}
                />
              </button>
            ) : (
              column.header
            )}
          </th>
        );
      })}
    </tr>
  );
}
