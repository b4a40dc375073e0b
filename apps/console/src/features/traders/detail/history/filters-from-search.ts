import type { Sort } from '../../../../lib/url/sorting.ts';
import type { DetailSearch, HistoryColumn } from '../detail-search.ts';

/** The filters of the closed positions. */
export interface HistoryFilters {
  page: number;
  sort: Sort<HistoryColumn>;
  symbol?: string;
  account?: string;
  from?: string;
  to?: string;
}

export function historyFilters({ page, sort, dir, symbol, account, from, to }: DetailSearch): HistoryFilters {
  return {
    page: Number(page ?? 1),
    sort: { column: sort ?? 'closed_at', direction: dir ?? 'desc' },
    symbol,
    account,
    from,
    to,
  };
}
