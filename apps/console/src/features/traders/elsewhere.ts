import { TRADER_TABS } from '@copydesk/domain/traders';
import { formatCount } from '../../lib/format/numbers.ts';
import { namedLike } from '../../lib/list/named-like.ts';
import type { TradersPage } from './traders-queries.ts';
import type { TraderListFilters, TradersSearch } from './traders-search.ts';

const LABELS = {
  inbox: 'Inbox',
  connected: 'Connected',
  delinquent: 'Delinquent',
  none: 'Pending without an exchange',
} as const;
const OTHER_FIELDS = 'name, Telegram, e-mail, account, invoice, address or hash';

interface Offer {
  text: string;
  change: TradersSearch;
}

/**
 * Other places where a search has matches: other tabs, communities of that name, and fields other than the
 * reference number.
 */
export function offersElsewhere(
  filters: TraderListFilters,
  counts: TradersPage['meta']['counts'],
  otherMatches: number,
  communities: readonly { value: string; label: string }[],
): Offer[] {
  const { search } = filters;
  if (search === undefined) return [];
  const inTabs =
    filters.tab === 'all'
      ? []
      : [...TRADER_TABS, 'none' as const]
          .filter((tab) => tab !== filters.tab && counts[tab] > 0)
          .map((tab) => ({ text: `${formatCount(counts[tab])} in ${LABELS[tab]}`, change: { tab } }));
  if (filters.in === 'other')
    return [...inTabs, { text: 'Search reference numbers instead', change: { in: undefined } }];
  const ofCommunities: Offer[] = namedLike(communities, search).map(({ value, label }) => ({
    text: `Traders of ${label}`,
    change: { community: value, search: undefined, tab: 'all' },
  }));
  if (otherMatches === 0) return [...inTabs, ...ofCommunities];
  return [
    ...inTabs,
    ...ofCommunities,
    { text: `${formatCount(otherMatches)} more by ${OTHER_FIELDS}`, change: { in: 'other', tab: 'all' } },
  ];
}
