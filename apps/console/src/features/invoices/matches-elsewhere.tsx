import { useQuery } from '@tanstack/react-query';
import { MatchOffers } from '../../ui/filters/match-offers.tsx';
import { offersElsewhere } from './elsewhere.ts';
import { type GroupsPage, otherMatchesQuery } from './invoices-queries.ts';
import type { InvoiceFilters, InvoicesSearch } from './invoices-search.ts';

interface MatchesElsewhereProps {
  filters: InvoiceFilters;
  counts: GroupsPage['meta']['counts'];
  onChange(changed: InvoicesSearch): void;
}

/** Below the list: matches of the search in other tabs and in other fields. */
export function MatchesElsewhere({ filters, counts, onChange }: MatchesElsewhereProps) {
  const others = useQuery(otherMatchesQuery(filters));
  return <MatchOffers offers={offersElsewhere(filters, counts, others.data ?? 0)} onChange={onChange} />;
}
