import { definePagedList } from '../../../lib/list/define-paged-list.ts';
import { among, filter, line, since, until } from '../../../lib/list/filters.ts';
import { RANGES } from '../../../lib/url/range-days.ts';
import { text } from '../../../lib/url/search-params.ts';

export const HISTORY_COLUMNS = ['closed_at', 'symbol', 'closed_pnl'] as const;
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

/** The closed positions of a trader. */
export const historyList = definePagedList({
  filters: {
    symbol: filter((value) => text(value, 40), 'symbol'),
    from: since('Date', 'from'),
    to: until('Date', 'to'),
  },
  rest: {
    range: among(RANGES),
    month: (value) =>
      typeof value === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? value : undefined,
    // No filter that a view keeps: another trader has other accounts.
    account: line,
  },
  columns: HISTORY_COLUMNS,
  sizes: [20, 50, 100],
  rows: 20,
});

/** The URL parameters of a trader's page: the range of its charts, and the filters of its history. */
export type DetailSearch = ReturnType<typeof historyList.read>;
