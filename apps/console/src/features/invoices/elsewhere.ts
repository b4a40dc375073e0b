import { formatCount, INVOICE_TABS } from '@copydesk/domain';
import type { GroupsPage } from './invoices-queries.ts';
import type { InvoiceFilters, InvoicesSearch } from './invoices-search.ts';

const LABELS = { all: 'All', unpaid: 'Unpaid', paid: 'Paid', archived: 'Archived' } as const;

interface Offer {
  text: string;
  change: InvoicesSearch;
}

/** Where else a search has groups: in the other tabs, and in what is not a reference number. */
export function offersElsewhere(
  filters: InvoiceFilters,
  counts: GroupsPage['meta']['counts'],
  otherMatches: number,
): Offer[] {
  const { search, tab: shown } = filters;
  if (search === undefined) return [];
  // All has what is unpaid and what is paid; what is archived is nowhere else.
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
  if (otherMatches === 0) return inTabs;
  return [
    ...inTabs,
    {
      text: `${formatCount(otherMatches)} more by name, Telegram, e-mail, account, invoice, address or hash`,
      change: { in: 'other', page: undefined },
    },
  ];
}
