import { clsx } from 'clsx';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import { nextSort, type Sort } from '../../../lib/url/sorting.ts';
import { StaleRows } from '../../form/checkbox.tsx';
import { useMedia } from '../../layout/use-media.ts';
import { SORT_WORDS, SortButton } from '../data-table/sort-button.tsx';
import { isRowPress } from '../row-press.ts';
import { ArrangedTable, type Arrangement } from './arranged-table.tsx';
import { CardList } from './card-list.tsx';
import { toNextBox } from './next-box.ts';
import type { PlainColumn } from './plain-column.ts';

interface PlainTableProps<Row, Id extends string> {
  label: string;
  columns: readonly PlainColumn<Row, Id>[];
  rows: readonly Row[];
  keyOf(row: Row, index: number): string;
  sort?: Sort<Id>;
  onSort?(sort: Sort<Id>): void;
  /** A press on a row; the row needs a link with the same target for the keyboard. */
  onOpen?(row: Row): void;
  /** Whether a row matters less than the others. */
  dimmedOf?(row: Row): boolean;
  /** The rows belong to the previous filters while the new ones load. */
  isStale?: boolean;
  /** How the person arranged the columns. Without it they are as given. */
  arrangement?: Arrangement | undefined;
}

/** A short table within a screen. At phone width each row is a card. */
export function PlainTable<Row, Id extends string>(props: PlainTableProps<Row, Id>) {
  const { label, columns, rows, keyOf, sort, onSort, onOpen, dimmedOf, isStale } = props;
  const narrow = useMedia('(max-width: 767px)');
  const { density } = usePersonSettings();
  if (!narrow && props.arrangement) return <ArrangedTable {...props} arrangement={props.arrangement} />;
  if (narrow) return <CardList {...{ label, columns, rows, keyOf, onOpen, dimmedOf, isStale }} />;
  return (
    <StaleRows value={isStale === true}>
      <table
        aria-label={label}
        aria-busy={isStale || undefined}
        className={clsx(
          'w-full table-fixed transition-opacity',
          isStale && 'opacity-55',
          density === 'compact' && 'text-[0.8125rem]/5',
        )}
      >
        <thead>
          <tr className="h-8 bg-subtle text-xs text-muted">
            {columns.map((column) => {
              const direction = sort?.column === column.id ? sort.direction : null;
              return (
                <th
                  key={column.id}
                  scope="col"
                  style={{ width: column.width }}
                  aria-sort={
                    column.sortable && sort ? (direction ? SORT_WORDS[direction] : 'none') : undefined
                  }
                  className={clsx(EDGES, 'font-medium', column.align === 'end' ? 'text-end' : 'text-start')}
                >
                  {column.sortable && sort && onSort ? (
                    <SortButton
                      header={column.header}
                      direction={direction}
                      isEnd={column.align === 'end'}
                      onClick={() => onSort(nextSort(sort, column.id))}
                    />
                  ) : (
                    (column.headerCell ?? column.header)
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody onKeyDown={toNextBox}>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row, index)}
              onClick={onOpen && ((event) => isRowPress(event) && onOpen(row))}
              className={clsx(
                density === 'compact' ? 'h-8' : 'h-10',
                'border-t border-line hover:bg-hover',
                onOpen && 'cursor-pointer',
                dimmedOf?.(row) && 'bg-canvas text-muted',
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={clsx(EDGES, column.align === 'end' && 'text-end tabular-nums')}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </StaleRows>
  );
}

const EDGES = 'px-2 whitespace-nowrap first:ps-4 last:pe-4';
