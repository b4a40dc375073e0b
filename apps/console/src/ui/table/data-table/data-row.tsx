import { clsx } from 'clsx';
import { memo, type ReactNode } from 'react';
import type { Column } from './column.ts';
import { PINNED } from './column-widths.ts';
import type { RowPlace } from './row-place.ts';

/** Around the content of a row that may fail to render. Without it the whole screen fails. */
export type RowGuard<Row> = (row: Row | undefined, content: ReactNode) => ReactNode;

interface DataRowProps<Row, Id extends string> {
  index: number;
  /** Undefined while loading. */
  row: Row | undefined;
  top: number;
  height: number;
  columns: readonly Column<Row, Id>[];
  /** The offsets of the columns that stay in view. */
  pins: ReadonlyMap<string, string>;
  tracks: string;
  /** The classes of the space between and beside the cells. */
  gap: string;
  /** Renders the row as a card instead of cells. */
  card: ((row: Row, isActive: boolean) => ReactNode) | null;
  /** Fills the whole row instead of its cells. */
  filling: ReactNode;
  place: RowPlace | undefined;
  guard: RowGuard<Row> | undefined;
  canOpen: boolean;
  isActive: boolean;
}

function Cells<Row, Id extends string>({ row, columns, pins, isActive }: DataRowProps<Row, Id>) {
  return columns.map((column) => (
    <td
      key={column.id}
      className={clsx(
        'min-w-0',
        pins.has(column.id) ? PINNED : 'truncate',
        column.align === 'end' && 'text-end tabular-nums',
      )}
      style={{ insetInlineStart: pins.get(column.id) }}
    >
      {row === undefined ? (
        <span className={clsx('skeleton block h-3 w-24 max-w-full', column.align === 'end' && 'ms-auto')} />
      ) : pins.has(column.id) ? (
        <div className="min-w-0 truncate">{column.cell(row, isActive)}</div>
      ) : (
        column.cell(row, isActive)
      )}
    </td>
  ));
}

function Content<R, Id extends string>(props: DataRowProps<R, Id>) {
  const { row, card, filling, isActive } = props;
  if (card === null && filling === null) return <Cells {...props} />;
  return (
    <td className="block w-full">
      {row === undefined ? (
        <span className="block space-y-2 py-1">
          <span className="skeleton block h-3 w-40" />
          <span className="skeleton block h-3 w-56" />
        </span>
      ) : (
        (filling ?? card?.(row, isActive))
      )}
    </td>
  );
}

function Row<R, Id extends string>(props: DataRowProps<R, Id>) {
  const { index, row, top, height, tracks, gap, card, filling, place, guard, canOpen, isActive } = props;
  const isWhole = card !== null || filling !== null;
  const isLoading = row === undefined || place?.isLoading === true;
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      aria-busy={isLoading || undefined}
      aria-level={place?.level}
      aria-expanded={place?.isExpanded}
      aria-selected={place?.isSelected}
      tabIndex={isActive ? 0 : -1}
      className={clsx(
        'absolute inset-x-0 top-0 cursor-default border-b border-line',
        'focus-visible:z-10 focus-visible:-outline-offset-2',
        place?.isCurrent || place?.isSelected
          ? 'bg-accent-soft'
          : [
              'hover:bg-hover focus-visible:bg-accent-soft',
              (place?.level ?? 1) > 1 ? 'bg-canvas' : 'bg-surface',
            ],
        card ? 'block px-4 py-3' : ['items-center', isWhole ? 'flex px-4' : ['grid', gap]],
        !isLoading && canOpen && 'cursor-pointer',
      )}
      style={{ height, transform: `translateY(${top}px)`, gridTemplateColumns: isWhole ? undefined : tracks }}
    >
      {guard ? guard(row, <Content {...props} />) : <Content {...props} />}
    </tr>
  );
}

/** Each render creates a new place object; only its content counts. */
function isSame<R, Id extends string>(before: DataRowProps<R, Id>, after: DataRowProps<R, Id>): boolean {
  return (Object.keys(after) as (keyof typeof after)[]).every((name) =>
    name === 'place' ? isSamePlace(before.place, after.place) : Object.is(before[name], after[name]),
  );
}

function isSamePlace(before: RowPlace | undefined, after: RowPlace | undefined): boolean {
  return (
    before?.level === after?.level &&
    before?.isExpanded === after?.isExpanded &&
    before?.isSelected === after?.isSelected &&
    before?.isLoading === after?.isLoading &&
    before?.isCurrent === after?.isCurrent
  );
}

export const DataRow = memo(Row, isSame) as typeof Row;
