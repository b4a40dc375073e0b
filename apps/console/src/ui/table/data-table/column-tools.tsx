import { COLUMN_PX, type ListLayout } from '@copydesk/domain/person';
import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table';
import { clsx } from 'clsx';
import Columns3 from 'lucide-react/icons/columns-3';
import { Popover } from 'radix-ui';
import { type MouseEvent, type TouchEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { PopoverPanel } from '../../layout/popover-panel.tsx';
import { orderColumns } from './arrange-columns.ts';
import type { Column } from './column.ts';
import { ColumnChoices } from './column-choices.tsx';

// The library passes over a state whose feature is not named here.
const features = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});
/** The library handles columns only: the list renders its rows. */
const NO_ROWS: readonly never[] = [];

type Described = Pick<Column<never>, 'id' | 'header' | 'track' | 'isPinned' | 'isFixed'>;

interface ColumnToolsProps {
  layout: ListLayout;
  onChange(layout: ListLayout): void;
  /** All columns, in the list's own order. */
  columns: readonly Described[];
  /** Those that are shown, in their present order. */
  shown: readonly Described[];
  pins: ReadonlyMap<string, string>;
  tracks: string;
  /** The classes of the space between and beside the cells. */
  gap: string;
  leastWidth: string | undefined;
}

const next = <T,>(updater: Updater<T>, before: T): T =>
  typeof updater === 'function' ? (updater as (before: T) => T)(before) : updater;

/** The state of the columns, with the library's acts on it. */
function useColumnTable({ layout, onChange, columns }: ColumnToolsProps, sizes: Record<string, number>) {
  const defs = useMemo(
    () =>
      columns.map(({ id, header, isFixed = false }) => ({
        id,
        header,
        size: sizes[id] ?? COLUMN_PX.least,
        minSize: COLUMN_PX.least,
        maxSize: COLUMN_PX.most,
        enableHiding: !isFixed,
        enableResizing: !isFixed,
      })),
    [columns, sizes],
  );
  const state = {
    columnOrder: orderColumns(columns, layout.order).map(({ id }) => id),
    columnVisibility: Object.fromEntries(layout.hidden.map((id) => [id, false])),
    columnSizing: layout.widths,
  };
  return useTable({
    features,
    data: NO_ROWS,
    columns: defs,
    columnResizeMode: 'onChange',
    state,
    onColumnOrderChange: (updater) => onChange({ ...layout, order: next(updater, state.columnOrder) }),
    onColumnVisibilityChange: (updater) => {
      const visible = next(updater, state.columnVisibility);
      onChange({ ...layout, hidden: Object.keys(visible).filter((id) => visible[id] === false) });
    },
    onColumnSizingChange: (updater) => {
      const widths = Object.entries(next(updater, state.columnSizing));
      onChange({ ...layout, widths: Object.fromEntries(widths.map(([id, px]) => [id, wholePx(px)])) });
    },
  });
}

const wholePx = (px: number) => Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, Math.round(px)));

/** Above the header of a table: the edges of the columns, to be drawn, and the choice of columns. */
export default function ColumnTools(props: ColumnToolsProps) {
  const { layout, columns, shown, pins, tracks, gap, leastWidth } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [sizes, setSizes] = useState<Record<string, number>>({});
  const table = useColumnTable(props, sizes);
  const latest = useRef(table);
  latest.current = table;
  /** A column changes from the width that it has at that moment, which its track may leave to the space there is. */
  const measured = () => {
    const cells = [...(grid.current?.children ?? [])];
    const widths = shown.map(({ id }, at) => [id, cells[at]?.clientWidth ?? COLUMN_PX.least]);
    flushSync(() => setSizes(Object.fromEntries(widths)));
    return latest.current;
  };
  const draw = (id: string) => (event: MouseEvent | TouchEvent) =>
    measured()
      .getFlatHeaders()
      .find(({ column }) => column.id === id)
      ?.getResizeHandler()(event);
  return (
    <div className="pointer-events-none sticky top-0 z-30 h-0" style={{ minWidth: leastWidth }}>
      <div ref={grid} className={clsx('grid h-9', gap)} style={{ gridTemplateColumns: tracks }}>
        {shown.map(({ id, isFixed }, at) => (
          <div
            key={id}
            className={clsx('row-start-1', pins.has(id) ? 'sticky' : 'relative')}
            style={{ gridColumnStart: at + 1, insetInlineStart: pins.get(id) }}
          >
            {!isFixed && (
              // The keyboard has the same in the choice of columns.
              <div
                aria-hidden="true"
                title="Draw to change the width, press twice for the list's own"
                onMouseDown={draw(id)}
                onTouchStart={draw(id)}
                onDoubleClick={() => table.getColumn(id)?.resetSize()}
                className="pointer-events-auto absolute inset-y-0 -end-3 w-3 cursor-col-resize touch-none hover:bg-line-strong/60 active:bg-accent/60"
              />
            )}
          </div>
        ))}
        <Popover.Root>
          <Popover.Trigger
            aria-label="Columns"
            title="Columns"
            className={clsx(
              'pointer-events-auto sticky end-1 col-span-full col-start-1 row-start-1 flex size-7 items-center justify-center self-center justify-self-end rounded-md bg-subtle text-muted hover:text-ink',
              // Above the menus of rows, or in the room beside the last column.
              shown.at(-1)?.isFixed ? '-me-3' : '-me-8',
            )}
          >
            <Columns3 className="size-3.5" aria-hidden="true" />
          </Popover.Trigger>
          <PopoverPanel align="end" aria-label="Columns" className="w-80">
            <ColumnChoices
              choices={orderColumns(columns, layout.order).flatMap(({ id, header: name, isFixed }) => {
                const column = table.getColumn(id);
                return column && !isFixed ? [{ id, name, isShown: column.getIsVisible() }] : [];
              })}
              pinned={layout.pinned ?? [...shown].findLast(({ isPinned }) => isPinned)?.id ?? null}
              onShow={(id, isShown) => table.getColumn(id)?.toggleVisibility(isShown)}
              onOrder={(ids) => table.setColumnOrder(withFixed(columns, ids))}
              onWiden={(id, by) => {
                const now = measured();
                const px = (now.getColumn(id)?.getSize() ?? 0) + by;
                now.setColumnSizing((before) => ({ ...before, [id]: px }));
              }}
              onPin={(id) => props.onChange({ ...layout, pinned: id })}
              onReset={() => props.onChange({ order: [], hidden: [], widths: {}, pinned: null })}
            />
          </PopoverPanel>
        </Popover.Root>
      </div>
    </div>
  );
}

/** The order of all columns, from that of those that can be moved. */
function withFixed(columns: readonly Described[], moved: readonly string[]): string[] {
  const rest = [...moved];
  return columns.map(({ id, isFixed }) => (isFixed ? id : (rest.shift() ?? id)));
}
