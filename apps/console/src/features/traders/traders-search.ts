import { EXCHANGES } from '@copydesk/domain/catalogue';
import { TRADER_TABS, type TraderTab } from '@copydesk/domain/traders';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { defineList } from '../../lib/list/define-list.ts';
import { among, choice, filter, recordOf, search } from '../../lib/list/filters.ts';
import { oneOf } from '../../lib/url/search-params.ts';
import type { Sort } from '../../lib/url/sorting.ts';

/** The tabs, and the two views beside them that reach every trader: without an exchange account, and all. */
export const TRADER_VIEWS = [...TRADER_TABS, 'none', 'all'] as const;
export type TraderView = (typeof TRADER_VIEWS)[number];

export const isTab = (view: TraderView): view is TraderTab => oneOf(TRADER_TABS, view) !== undefined;

/** The default comes first. */
export const SORT_COLUMNS = ['aum', 'reference_number', 'telegram_username'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type TradersSort = Sort<SortColumn>;

export const BELOW_MINIMUM = 'Below minimum balance';
const exchanges = EXCHANGES.map((value) => ({ value, label: exchangeName(value) }));

export const tradersList = defineList({
  filters: {
    search: search('search'),
    /** The fields that the search covers; reference numbers when absent. */
    in: filter(among(['other']), 'search_in'),
    community: recordOf('Community', 'community_id', 'communities'),
    provider: recordOf('Provider', 'provider_id', 'providers'),
    exchange: choice('Exchange', 'exchange', exchanges),
    /** Only traders below the minimum balance of their community. */
    below: choice('Balance', 'below_minimum_balance', [{ value: 'true', label: BELOW_MINIMUM }]),
  },
  rest: { tab: among(TRADER_VIEWS) },
  kept: ['tab'],
  columns: SORT_COLUMNS,
});

/** The URL parameters of the Traders list. Absent ones have their defaults. */
export type TradersSearch = ReturnType<typeof tradersList.read>;
/** The filters of the list: the URL, completed with the remembered tab and the defaults. */
export type TraderListFilters = ReturnType<typeof filtersFrom>;

export const { read: readTradersSearch, sortParams, wire: wireNarrowing } = tradersList;

/** @param rememberedTab the last choice on this machine; the URL overrides it */
export const filtersFrom = (
  search: TradersSearch,
  rememberedTab: string | null,
): ReturnType<typeof tradersList.complete> & { tab: TraderView } => ({
  ...tradersList.complete(search),
  tab: search.tab ?? oneOf(TRADER_TABS, rememberedTab) ?? 'inbox',
});
