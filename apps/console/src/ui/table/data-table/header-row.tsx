import { clsx } from 'clsx';
import type { Sort } from '../../../lib/url/sorting.ts';
import type { Column } from './column.ts';
import { PINNED } from './column-widths.ts';
import { SORT_WORDS, SortButton } from './sort-button.tsx';

interface HeaderRowProps<Row, Id extends string> {
  columns: readonly Column<Row, Id>[];
  /** The offsets of the columns that stay in view. */
  pins: ReadonlyMap<string, string>;
  tracks: string;
  /** The classes of the space between and beside the cells. */
  gap: string;
  sort?: Sort<Id> | undefined;
  onSort(column: Id): void;
}

export function HeaderRow<Row, Id extends string>({
  columns,
  pins,
  tracks,
  gap,
  sort,
  onSort,
}: HeaderRowProps<Row, Id>) {
  return (
    <tr
      aria-rowindex={1}
      className={clsx(
        'grid h-9 items-center border-b border-line bg-subtle text-xs font-medium text-muted',
        gap,
      )}
      style={{ gridTemplateColumns: tracks }}
    >
      {columns.map((column) => {
        const direction = sort?.column === column.id ? sort.direction : null;
        return (
          <th
            key={column.id}
            scope="col"
            aria-sort={column.sortable ? (direction ? SORT_WORDS[direction] : 'none') : undefined}
            className={clsx(
              'min-w-0 font-medium',
              column.align === 'end' ? 'text-end' : 'text-start',
              pins.has(column.id) && PINNED,
            )}
            style={{ insetInlineStart: pins.get(column.id) }}
          >
            {column.sortable ? (
              <SortButton
                header={column.header}
                direction={direction}
                isEnd={column.align === 'end'}
                onClick={() => onSort(column.id)}
              />
            ) : (
              (column.headerCell ?? column.header)
            )}
          </th>
        );
      })}
    </tr>
  );
}
