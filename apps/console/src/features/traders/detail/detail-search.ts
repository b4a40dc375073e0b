import { RANGES, type Range } from '../../../lib/url/range-days.ts';
import { oneOf, text } from '../../../lib/url/search-params.ts';
import type { Direction } from '../../../lib/url/sorting.ts';

export const HISTORY_COLUMNS = ['closed_at', 'symbol', 'closed_pnl'] as const;
export type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

/** The URL parameters of a trader's page: the range of its charts, and the filters of its history. */
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
  // JavaScript reads a date that does not exist as the following one, or as invalid.
  return written && new Date(`${written}T00:00Z`).getUTCDate() === Number(written.slice(8))
    ? written
    : undefined;
};

/** Ignores invalid parameters; see `readTradersSearch`. */
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
