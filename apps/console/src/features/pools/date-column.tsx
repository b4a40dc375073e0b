import { When } from '../../ui/figures/when.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';

/** When it happened, to the minute. */
export const dateColumn = <Row extends { at: string }>(
  width: string,
  onCard: 'lead' | 'line',
): PlainColumn<Row> => ({
  id: 'at',
  header: 'Date',
  width,
  onCard,
  cell: ({ at }) => <When at={at} as="date" />,
});
