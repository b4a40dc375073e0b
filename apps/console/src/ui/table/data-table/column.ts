import type { ReactNode } from 'react';

export interface Column<Row, Id extends string = string> {
  id: Id;
  header: string;
  /** Replaces the text in the header. */
  headerCell?: ReactNode;
  /** A CSS grid track: `minmax(8rem, 1fr)`. */
  track: string;
  align?: 'end';
  sortable?: boolean;
  /** Stays in view where the table scrolls sideways; with it, those before it. The tracks of these begin with a width in rem. */
  isPinned?: boolean;
  /** It has no name, as a box or a menu: it can neither be hidden nor moved. */
  isFixed?: boolean;
  /** @param isActive whether the row is the table's one tab stop; only then are the cell's controls tab stops too */
  cell(row: Row, isActive: boolean): ReactNode;
}
