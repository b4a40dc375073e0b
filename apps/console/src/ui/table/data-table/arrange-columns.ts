import { COLUMN_PX, type ListLayout } from '@copydesk/domain/person';
import type { Column } from './column.ts';

type Arranged = Pick<Column<never>, 'id' | 'track' | 'isPinned' | 'isFixed'>;

const PX_A_REM = 16;

/**
 * All columns in a person's order, the hidden ones included. A column that the order does not name, such as a
 * newer one, keeps the list's place; one without a name stays where it is.
 */
export function orderColumns<C extends Arranged>(columns: readonly C[], order: readonly string[]): C[] {
  const place = new Map(order.map((id, at) => [id, at]));
  const named = columns.filter(({ id, isFixed }) => !isFixed && place.has(id));
  const ordered = named.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  const slots = new Set(named);
  return columns.map((column) => (slots.has(column) ? (ordered.shift() ?? column) : column));
}

/** The columns as a person arranged them: without the hidden ones, in the person's order, of the person's widths. */
export function arrangeColumns<C extends Arranged>(columns: readonly C[], layout: ListLayout): readonly C[] {
  const shown = orderColumns(columns, layout.order).filter(
    ({ id, isFixed }) => isFixed || !layout.hidden.includes(id),
  );
  const lastPinned = shown.findIndex(({ id }) => id === layout.pinned);
  return shown.map((column, at) => {
    const px = layout.widths[column.id];
    return {
      ...column,
      ...(px !== undefined && { track: `${within(px) / PX_A_REM}rem` }),
      ...(lastPinned >= 0 && { isPinned: at <= lastPinned }),
    };
  });
}

const within = (px: number) => Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, px));
