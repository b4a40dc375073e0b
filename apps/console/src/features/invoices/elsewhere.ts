import { INVOICE_TABS } from '@copydesk/domain/invoices';
import { formatCount } from '../../lib/format/numbers.ts';
import { namedLike } from '../../lib/list/named-like.ts';
import type { GroupsPage } from './invoices-queries.ts';
import type { InvoiceFilters, InvoicesSearch } from './invoices-search.ts';

const LABELS = { all: 'All', unpaid: 'Unpaid', paid: 'Paid', archived: 'Archived' } as const;

interface Offer {
  text: string;
  change: InvoicesSearch;
}

/**
 * Other places where a search has groups: other tabs, communities of that name, and fields other than the
 * reference number.
 */
export function offersElsewhere(
  filters: InvoiceFilters,
  counts: GroupsPage['meta']['counts'],
  otherMatches: number,
  communities: readonly { value: string; label: string }[],
): Offer[] {
  const { search, tab: shown } = filters;
  if (search === undefined) return [];
  // The All tab includes unpaid and paid groups; archived ones are only in Archived.
  const tabs = INVOICE_TABS.filter((tab) => tab !== shown && (shown !== 'all' || tab === 'archived'));
  const inTabs: Offer[] = tabs
    .filter((tab) => counts[tab] > 0)
    .map((tab) => ({
      text: `${formatCount(counts[tab])} in ${LABELS[tab]}`,
      change: { tab: tab === 'all' ? undefined : tab, page: undefined },
    }));
  if (filters.in === 'other')
    return [
      ...inTabs,
      { text: 'Search reference numbers instead', change: { in: undefined, page: undefined } },
    ];
  const ofCommunities: Offer[] = namedLike(communities, search).map(({ value, label }) => ({
    text: `Invoices of ${label}`,
    change: { community: value, search: undefined, page: undefined },
  }));
  if (otherMatches === 0) return [...inTabs, ...ofCommunities];
  return [
    ...inTabs,
    ...ofCommunities,
    {
      text: `${formatCount(otherMatches)} more by name, Telegram, e-mail, account, invoice, address or hash`,
      change: { in: 'other', page: undefined },
    },
  ];
}
