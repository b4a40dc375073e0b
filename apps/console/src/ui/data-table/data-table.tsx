import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Sort } from '../../lib/sorting.ts';
import { useMedia } from '../use-media.ts';
import type { Column } from './column.ts';
import { DataRow } from './data-row.tsx';
import { HeaderRow } from './header-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import { type Range, rowsToRender } from './visible-range.ts';

const ROW_PX = 36;
const HEADER_PX = 36;
const OVERSCAN = 4;

export interface DataTableProps<Row, Id extends string> {
  label: string;
  columns: readonly Column<Row, Id>[];
  rowCount: number;
  rowAt(index: number): Row | undefined;
  sort: Sort<Id>;
  onSort(column: Id): void;
  onOpen(row: Row): void;
  onRangeChange(range: Range): void;
  /** The row at phone width, of a fixed height. */
  card: { height: number; render(row: Row, isActive: boolean): ReactNode };
  /** Another value means other rows: the table starts again from the top. */
  resetKey: string;
  initialOffset?: number;
  onScroll?(offset: number): void;
  /** What is shown belongs to the previous question, while the answer to this one is on its way. */
  isStale: boolean;
}

/** A table of any length: only the rows in view are in the page. Rows open by click, Enter and Space. */
export function DataTable<Row, Id extends string>(props: DataTableProps<Row, Id>) {
  const { columns, rowCount, rowAt, resetKey, onRangeChange, card } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useMedia('(max-width: 767px)');
  const rowHeight = narrow ? card.height : ROW_PX;
  const headerHeight = narrow ? 0 : HEADER_PX;
  const tracks = columns.map((column) => column.track).join(' ');
  const activeRef = useRef(0);

  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
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
    rowHeight,
    scrollTo: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    onOpen: (index) => {
      const row = rowAt(index);
      if (row !== undefined) props.onOpen(row);
    },
  });
  activeRef.current = active;

  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are cached until told otherwise
  useEffect(() => virtualizer.measure(), [rowHeight]);

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
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus and open, which is a grid
        role="grid"
        aria-label={props.label}
        aria-rowcount={rowCount + 1}
        aria-busy={props.isStale || undefined}
        className="block w-full"
        {...handlers}
      >
        <thead className={narrow ? 'sr-only' : 'sticky top-0 z-20 block'}>
          {narrow ? (
            <tr aria-rowindex={1}>
              <th scope="col">{props.label}</th>
            </tr>
          ) : (
            <HeaderRow columns={columns} tracks={tracks} sort={props.sort} onSort={props.onSort} />
          )}
        </thead>
        <tbody
          className={clsx('relative block transition-opacity', props.isStale && 'opacity-55')}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map((item) => (
            <DataRow
              key={item.index}
              index={item.index}
              row={rowAt(item.index)}
              top={item.start - headerHeight}
              height={rowHeight}
              columns={columns}
              tracks={tracks}
              card={narrow ? card.render : null}
              isActive={item.index === active}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
