import type { ListLayout } from '@copydesk/domain/person';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo } from 'react';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import { nextSort, type Sort } from '../../../lib/url/sorting.ts';
import { StaleRows } from '../../form/checkbox.tsx';
import { arrangeColumns } from '../data-table/arrange-columns.ts';
import { leastWidthOf, PINNED, pinsOf } from '../data-table/column-widths.ts';
import { HeaderRow } from '../data-table/header-row.tsx';
import { isRowPress } from '../row-press.ts';
import { toNextBox } from './next-box.ts';
import type { PlainColumn } from './plain-column.ts';

const ColumnTools = lazy(() => import('../data-table/column-tools.tsx'));

/** How the person arranged the columns. */
export interface Arrangement {
  layout: ListLayout;
  onChange(layout: ListLayout): void;
}

interface ArrangedTableProps<Row, Id extends string> {
  label: string;
  columns: readonly PlainColumn<Row, Id>[];
  rows: readonly Row[];
  keyOf(row: Row, index: number): string;
  arrangement: Arrangement;
  sort?: Sort<Id> | undefined;
  onSort?: ((sort: Sort<Id>) => void) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  dimmedOf?: ((row: Row) => boolean) | undefined;
  isStale?: boolean | undefined;
}

const GAP_REM = 1;
/** Of the least width of all columns together. */
const REM_A_PERCENT = 0.5;

/** The share of a column as a track that keeps a least width: below it the table scrolls sideways. */
const tracked = <Row, Id extends string>(column: PlainColumn<Row, Id>) => {
  const percent = Number.parseFloat(column.width);
  return { ...column, track: `minmax(${percent * REM_A_PERCENT}rem, ${percent}fr)` };
};

/** A plain table whose columns the person has chosen, ordered, sized and pinned. */
export function ArrangedTable<Row, Id extends string>(props: ArrangedTableProps<Row, Id>) {
  const { label, rows, keyOf, arrangement, sort, onSort, onOpen, dimmedOf, isStale } = props;
  const { layout } = arrangement;
  const { density } = usePersonSettings();
  const all = useMemo(() => props.columns.map(tracked), [props.columns]);
  const columns = useMemo(() => arrangeColumns(all, layout), [all, layout]);
  const pins = useMemo(() => pinsOf(columns, GAP_REM), [columns]);
  const tracks = columns.map(({ track }) => track).join(' ');
  // The button for columns is beside the last one.
  const gap = 'gap-4 ps-4 pe-9';
  const leastWidth = leastWidthOf(columns, GAP_REM);
  return (
    <div className="relative overflow-x-auto overscroll-x-contain">
      <Suspense fallback={null}>
        <ColumnTools {...arrangement} columns={all} shown={columns} {...{ pins, tracks, gap, leastWidth }} />
      </Suspense>
      <StaleRows value={isStale === true}>
        <table
          aria-label={label}
          aria-busy={isStale || undefined}
          className={clsx(
            'block w-full transition-opacity',
            isStale && 'opacity-55',
            density === 'compact' && 'text-[0.8125rem]/5',
          )}
          style={{ minWidth: leastWidth }}
        >
          <thead className="block">
            <HeaderRow
              {...{ columns, pins, tracks, gap, sort }}
              onSort={(column) => sort && onSort?.(nextSort(sort, column))}
            />
          </thead>
          <tbody className="block" onKeyDown={toNextBox}>
            {rows.map((row, index) => (
              <tr
                key={keyOf(row, index)}
                onClick={onOpen && ((event) => isRowPress(event) && onOpen(row))}
                className={clsx(
                  'grid items-center border-line not-first:border-t hover:bg-hover',
                  density === 'compact' ? 'min-h-8' : 'min-h-10',
                  gap,
                  onOpen && 'cursor-pointer',
                  dimmedOf?.(row) ? 'bg-canvas text-muted' : 'bg-surface',
                )}
                style={{ gridTemplateColumns: tracks }}
              >
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={clsx(
                      'min-w-0 whitespace-nowrap',
                      pins.has(column.id) ? PINNED : 'overflow-hidden',
                      column.align === 'end' && 'text-end tabular-nums',
                    )}
                    style={{ insetInlineStart: pins.get(column.id) }}
                  >
                    {pins.has(column.id) ? (
                      <div className="min-w-0">{column.cell(row)}</div>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </StaleRows>
    </div>
  );
}
