import { AS_IS, type ListLayout } from '@copydesk/domain/person';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import type { Sort } from '../../../lib/url/sorting.ts';
import { StaleRows } from '../../form/checkbox.tsx';
import { useMedia } from '../../layout/use-media.ts';
import { arrangeColumns } from './arrange-columns.ts';
import type { Column } from './column.ts';
import { leastWidthOf, pinsOf } from './column-widths.ts';
import { DataRow, type RowGuard } from './data-row.tsx';
import { HeaderRow } from './header-row.tsx';
import type { RowPlace } from './row-place.ts';
import type { Sums } from './sum-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import { type Range, rowsToRender } from './visible-range.ts';

const ColumnTools = lazy(() => import('./column-tools.tsx'));
const SumRow = lazy(() => import('./sum-row.tsx')) as unknown as typeof import('./sum-row.tsx').default;

const ROW_PX = { comfortable: 40, compact: 32 };
const HEADER_PX = 36;
const OVERSCAN = 4;

export interface DataTableProps<Row, Id extends string> {
  label: string;
  columns: readonly Column<Row, Id>[];
  rowCount: number;
  rowAt(index: number): Row | undefined;
  sort: Sort<Id>;
  onSort(column: Id): void;
  /** Click, Enter and Space. Without it rows do not open. */
  onOpen?(row: Row): void;
  onRangeChange(range: Range): void;
  /** The row at phone width, of a height known beforehand. */
  card: {
    height: number | ((row: Row | undefined) => number);
    render(row: Row, isActive: boolean): ReactNode;
  };
  /** For rows that unfold into others: the place of each among them. */
  placeOf?(row: Row): RowPlace;
  /** Whether a row's detail is open, in a table whose rows do not unfold. */
  currentOf?(row: Row): boolean;
  /** Whether a row is selected, in a table with a selection. */
  selectedOf?(row: Row): boolean;
  /** A row with one text instead of its cells; null for all others. */
  fill?(row: Row, isActive: boolean): ReactNode;
  /** Keys beyond those of every table. True: the key was used. */
  onRowKey?(row: Row, event: KeyboardEvent): boolean;
  /** How the person arranged the columns. Without it they are as given. */
  arrangement?: { layout: ListLayout; onChange(layout: ListLayout): void } | undefined;
  /** Below the rows; cards have none. */
  sums?: Sums<Id> | undefined;
  /** Many columns with less space between them. */
  compact?: boolean;
  /** A new value means other rows: the table starts again from the top. */
  resetKey: string;
  initialOffset?: number;
  onScroll?(offset: number): void;
  rowGuard?: RowGuard<Row>;
  /** The rows belong to the previous filters while the new ones load. */
  isStale: boolean;
}

/** A table of any length: only the rows in view are in the page. Rows open by click, Enter and Space. */
export function DataTable<Row, Id extends string>(props: DataTableProps<Row, Id>) {
  const { rowCount, rowAt, resetKey, onRangeChange, card, arrangement } = props;
  const layout = arrangement?.layout ?? AS_IS;
  const columns = useMemo(() => arrangeColumns(props.columns, layout), [props.columns, layout]);
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useMedia('(max-width: 767px)');
  const cardHeight = (index: number) =>
    typeof card.height === 'number' ? card.height : card.height(rowAt(index));
  const { density } = usePersonSettings();
  const rowPx = ROW_PX[density];
  const heightAt = (index: number) => (narrow ? cardHeight(index) : rowPx);
  // The button for columns is above the menus of rows, or beside the last column.
  const hasRoom = !arrangement || columns.at(-1)?.isFixed;
  const gap = clsx(props.compact ? 'gap-4' : 'gap-6', hasRoom ? 'px-4' : 'ps-4 pe-9');
  const headerHeight = narrow ? 0 : HEADER_PX;
  const placeOf = props.placeOf ?? flatPlaces(props);
  const tracks = columns.map((column) => column.track).join(' ');
  const gapRem = props.compact ? 1 : 1.5;
  const leastWidth = narrow ? undefined : leastWidthOf(columns, gapRem);
  const pins = useMemo(() => pinsOf(columns, gapRem), [columns, gapRem]);
  const activeRef = useRef(0);

  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: heightAt,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    // No row is left beneath the sums.
    scrollPaddingEnd: props.sums && !narrow ? HEADER_PX : 0,
    initialOffset: props.initialOffset ?? 0,
    rangeExtractor: (range) =>
      rowsToRender(
        { first: range.startIndex, last: range.endIndex },
        OVERSCAN,
        range.count,
        activeRef.current,
      ),
  });
  const { active, handlers } = useActiveRow({
    scroller,
    count: rowCount,
    rowHeight: heightAt(0),
    scrollTo: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    onOpen: (index) => {
      const row = rowAt(index);
      if (row !== undefined) props.onOpen?.(row);
    },
    onKey: (index, event) => {
      const row = rowAt(index);
      return row !== undefined && !props.isStale && !!props.onRowKey?.(row, event);
    },
  });
  activeRef.current = active;

  // Cards of varying height are measured again whenever the rows change; everything else only when the width changes.
  const sizes = typeof card.height === 'number' || !narrow ? `${narrow} ${rowPx}` : rowAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes stay cached until they change
  useLayoutEffect(() => virtualizer.measure(), [sizes]);

  const shownKey = useRef(resetKey);
  useEffect(() => {
    if (shownKey.current === resetKey) return;
    shownKey.current = resetKey;
    scroller.current?.scrollTo({ top: 0 });
  }, [resetKey]);

  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => onRangeChange({ first, last }), [first, last, onRangeChange]);

  return (
    <div
      ref={scroller}
      onScroll={(event) => props.onScroll?.(event.currentTarget.scrollTop)}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain"
    >
      {arrangement && !narrow && (
        <Suspense fallback={null}>
          <ColumnTools
            {...arrangement}
            columns={props.columns}
            shown={columns}
            {...{ pins, tracks, gap, leastWidth }}
          />
        </Suspense>
      )}
      <StaleRows value={props.isStale}>
        <table
          role={props.placeOf ? 'treegrid' : 'grid'}
          aria-label={props.label}
          aria-rowcount={rowCount + (props.sums && !narrow ? 2 : 1)}
          aria-busy={props.isStale || undefined}
          {...(props.selectedOf && { 'aria-multiselectable': true })}
          className={clsx('block w-full', density === 'compact' && !narrow && 'text-[0.8125rem]/5')}
          style={{ minWidth: leastWidth }}
          {...handlers}
        >
          <thead className={narrow ? 'sr-only' : 'sticky top-0 z-20 block'}>
            {narrow ? (
              <tr aria-rowindex={1}>
                <th scope="col">{props.label}</th>
              </tr>
            ) : (
              <HeaderRow
                columns={columns}
                pins={pins}
                tracks={tracks}
                gap={gap}
                sort={props.sort}
                onSort={props.onSort}
              />
            )}
          </thead>
          <tbody
            className={clsx('relative block transition-opacity', props.isStale && 'opacity-55')}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {virtualizer.getVirtualItems().map((item) => {
              const row = rowAt(item.index);
              const isActive = item.index === active;
              return (
                <DataRow
                  key={item.index}
                  index={item.index}
                  row={row}
                  top={item.start - headerHeight}
                  height={item.size}
                  columns={columns}
                  pins={pins}
                  tracks={tracks}
                  gap={gap}
                  card={narrow ? card.render : null}
                  filling={row === undefined ? null : (props.fill?.(row, isActive) ?? null)}
                  place={row === undefined ? undefined : placeOf?.(row)}
                  guard={props.rowGuard}
                  canOpen={props.onOpen !== undefined}
                  isActive={isActive}
                />
              );
            })}
          </tbody>
          {props.sums && !narrow && (
            <tfoot className="sticky bottom-0 z-20 block">
              <Suspense>
                <SumRow sums={props.sums} rowIndex={rowCount + 2} {...{ columns, pins, tracks, gap }} />
              </Suspense>
            </tfoot>
          )}
        </table>
      </StaleRows>
    </div>
  );
}

/** For rows that neither unfold nor are nested. */
function flatPlaces<Row, Id extends string>({ currentOf, selectedOf }: DataTableProps<Row, Id>) {
  if (selectedOf) return (row: Row): RowPlace => ({ isSelected: selectedOf(row) });
  return currentOf && ((row: Row): RowPlace => ({ isCurrent: currentOf(row) }));
}
