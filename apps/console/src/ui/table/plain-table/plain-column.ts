import type { ReactNode } from 'react';
import type { Column } from '../data-table/column.ts';

export interface PlainColumn<Row, Id extends string = string>
  extends Pick<
    Column<Row, Id>,
    'id' | 'header' | 'headerCell' | 'align' | 'sortable' | 'isPinned' | 'isFixed'
  > {
  /** Share of the table's width, as in `12%`: tables below each other align. */
  width: string;
  /**
   * The position on a card: in its first line, left or right, or a whole line with its name. Otherwise it shares a line
   * with the next field.
   */
  onCard?: 'lead' | 'end' | 'line';
  cell(row: Row): ReactNode;
}
