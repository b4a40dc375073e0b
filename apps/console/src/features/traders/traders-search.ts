import { EXCHANGES } from '@copydesk/domain/catalogue';
import { TRADER_TABS, type TraderTab } from '@copydesk/domain/traders';
import { among, createListSearch, filter, type ValuesOf } from '../../lib/url/list-search.ts';
import { oneOf, text, uuid } from '../../lib/url/search-params.ts';
import type { Sort } from '../../lib/url/sorting.ts';

/** The tabs, and the two views beside them that reach every trader: without an exchange account, and all. */
export const TRADER_VIEWS = [...TRADER_TABS, 'none', 'all'] as const;
export type TraderView = (typeof TRADER_VIEWS)[number];

export const isTab = (view: TraderView): view is TraderTab => oneOf(TRADER_TABS, view) !== undefined;

/** The default comes first. */
export const SORT_COLUMNS = ['aum', 'reference_number', 'telegram_username'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type TradersSort = Sort<SortColumn>;

const LONGEST_SEARCH = 200;

const FILTERS = {
  search: filter((value: unknown) => text(value, LONGEST_SEARCH), 'search'),
  /** The fields that the search covers; reference numbers when absent. */
  in: filter(among(['other']), 'search_in'),
  community: filter(uuid, 'community_id'),
  provider: filter(uuid, 'provider_id'),
  exchange: filter(among(EXCHANGES), 'exchange'),
  /** Only traders below the minimum balance of their community. */
  below: filter(
    (value: unknown) => oneOf(['true'] as const, value === true ? 'true' : value),
    'below_minimum_balance',
  ),
};

const list = createListSearch({
  filters: FILTERS,
  rest: { tab: among(TRADER_VIEWS) },
  columns: SORT_COLUMNS,
});

/** The filters of the list, without its tab and order. */
export type TraderNarrowing = ValuesOf<typeof FILTERS>;
/** The URL parameters of the Traders list. Absent ones have their defaults. */
export type TradersSearch = ReturnType<typeof list.read>;
/** The filters of the list: the URL, completed with the remembered tab and the defaults. */
export type TraderListFilters = ReturnType<typeof filtersFrom>;

export const { read: readTradersSearch, sortParams, wire: wireNarrowing, noFilters: NO_NARROWING } = list;

/** @param rememberedTab the last choice on this machine; the URL overrides it */
export const filtersFrom = (
  search: TradersSearch,
  rememberedTab: string | null,
): ReturnType<typeof list.complete> & { tab: TraderView } => ({
  ...list.complete(search),
  tab: search.tab ?? oneOf(TRADER_TABS, rememberedTab) ?? 'inbox',
});
