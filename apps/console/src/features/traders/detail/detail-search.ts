import { RANGES, type Range } from '../../../lib/range-days.ts';
import { oneOf, text } from '../../../lib/search-params.ts';
import type { Direction } from '../../../lib/sorting.ts';

export const HISTORY_COLUMNS = ['closed_at', 'symbol', 'closed_pnl'] as const;
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

/** What the URL of a trader carries: the range of its charts, and what of its history is shown. */
export interface DetailSearch {
  range?: Range;
  month?: string;
  page?: string;
  sort?: HistoryColumn;
  dir?: Direction;
  symbol?: string;
  account?: string;
  from?: string;
  to?: string;
}

const matching = (value: unknown, pattern: RegExp) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;
const day = (value: unknown) => {
  const written = matching(value, /^20\d\d-\d\d-\d\d$/);
  // A date that does not exist is taken for the one after it, or for none.
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
};

/** What makes no sense is as if it were not there; see `readTradersSearch`. */
export function readDetailSearch(raw: Record<string, unknown>): DetailSearch {
  return {
    range: oneOf(RANGES, raw.range),
    month: matching(raw.month, /^20\d\d-(0[1-9]|1[0-2])$/),
    page: matching(raw.page, /^[1-9]\d{0,4}$/),
    sort: oneOf(HISTORY_COLUMNS, raw.sort),
    dir: oneOf(['asc', 'desc'], raw.dir),
    symbol: text(raw.symbol, 40),
    account: text(raw.account, 200),
    from: day(raw.from),
    to: day(raw.to),
  };
}
