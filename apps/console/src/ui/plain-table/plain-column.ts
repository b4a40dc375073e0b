import type { ReactNode } from 'react';
import type { Column } from '../data-table/column.ts';

export interface PlainColumn<Row, Id extends string = string>
  extends Pick<Column<Row, Id>, 'id' | 'header' | 'align' | 'sortable'> {
  /** Share of the table's width, as in `12%`: tables below each other align. */
  width: string;
  /** The position on a card: in its first line, left or right. Otherwise it has a line with its name. */
  onCard?: 'lead' | 'end';
  cell(row: Row): ReactNode;
}
