import type { ReactNode } from 'react';

export interface Column<Row, Id extends string = string> {
  id: Id;
  header: string;
  /** Stands in the header in place of the words. */
  headerCell?: ReactNode;
  /** A CSS grid track: `minmax(8rem, 1fr)`. */
  track: string;
  align?: 'end';
  sortable?: boolean;
  /** @param isActive whether the row holds the table's one tab stop; what a cell offers joins it only then */
  cell(row: Row, isActive: boolean): ReactNode;
}
