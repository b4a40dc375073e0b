import { formatDate, fullTime, minuteWords } from '../../lib/format/read-time.ts';
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
  cell: ({ at }) => (
    <time dateTime={at} title={fullTime(at)}>
      {formatDate(at)} <span className="text-xs text-muted">{minuteWords(at)}</span>
    </time>
  ),
});
