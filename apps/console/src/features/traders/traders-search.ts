import { EXCHANGES, type Exchange, TRADER_TABS, type TraderTab } from '@copydesk/domain';
import { oneOf, text, uuid } from '../../lib/search-params.ts';
import type { Direction, Sort } from '../../lib/sorting.ts';

/** The tabs, and the two views beside them that reach every trader: without an exchange account, and all. */
export const TRADER_VIEWS = [...TRADER_TABS, 'none', 'all'] as const;
export type TraderView = (typeof TRADER_VIEWS)[number];

export const isTab = (view: TraderView): view is TraderTab => oneOf(TRADER_TABS, view) !== undefined;

export const SORT_COLUMNS = ['reference_number', 'telegram_username', 'aum'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type TradersSort = Sort<SortColumn>;

const DEFAULT_SORT: TradersSort = { column: 'aum', direction: 'desc' };
const DIRECTIONS: readonly Direction[] = ['asc', 'desc'];
const LONGEST_SEARCH = 200;

/** The URL parameters of the Traders list. Absent ones have their defaults. */
export interface TradersSearch {
  tab?: TraderView;
  search?: string;
  /** The fields that the search covers; reference numbers when absent. */
  in?: 'other';
  community?: string;
  provider?: string;
  exchange?: Exchange;
  /** Only traders below the minimum balance of their community. */
  below?: 'true';
  sort?: SortColumn;
  dir?: Direction;
}

/** The filters of the list: the URL, completed with the remembered tab and the defaults. */
export interface TraderListFilters {
  tab: TraderView;
  search?: string;
  in?: 'other';
  community?: string;
  provider?: string;
  exchange?: Exchange;
  below?: 'true';
  sort: TradersSort;
}

/**
 * Reads the URL's parameters and ignores invalid ones. They become undefined instead of being left out, because the
 * router merges this result over the raw parameters.
 */
export function readTradersSearch(raw: Record<string, unknown>): TradersSearch {
  return {
    tab: oneOf(TRADER_VIEWS, raw.tab),
    search: text(raw.search, LONGEST_SEARCH),
    in: oneOf(['other'] as const, raw.in),
    community: uuid(raw.community),
    provider: uuid(raw.provider),
    exchange: oneOf(EXCHANGES, raw.exchange),
    below: oneOf(['true'], raw.below === true ? 'true' : raw.below),
    sort: oneOf(SORT_COLUMNS, raw.sort),
    dir: oneOf(DIRECTIONS, raw.dir),
  };
}

/** @param rememberedTab the last choice on this machine; the URL overrides it */
export function filtersFrom(search: TradersSearch, rememberedTab: string | null): TraderListFilters {
  const { tab, sort, dir, ...rest } = search;
  return {
    ...rest,
    tab: tab ?? oneOf(TRADER_TABS, rememberedTab) ?? 'inbox',
    sort: { column: sort ?? DEFAULT_SORT.column, direction: dir ?? DEFAULT_SORT.direction },
  };
}

/** A sort in the URL's format; the default is left out. */
export function sortParams({ column, direction }: TradersSort): Pick<TradersSearch, 'sort' | 'dir'> {
  return {
    sort: column === DEFAULT_SORT.column ? undefined : column,
    dir: direction === DEFAULT_SORT.direction ? undefined : direction,
  };
}
