import { useQuery } from '@tanstack/react-query';
import type { Option } from '../../lib/list/filters.ts';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { offersElsewhere } from './elsewhere.ts';
import { type GroupsPage, otherMatchesQuery } from './invoices-queries.ts';
import type { InvoiceFilters, InvoicesSearch } from './invoices-search.ts';

interface MatchesElsewhereProps {
  filters: InvoiceFilters;
  counts: GroupsPage['meta']['counts'];
  communities: readonly Option[];
  onChange(changed: InvoicesSearch): void;
}

/** Matches of the search in other tabs and in other fields. */
export function MatchesElsewhere({ filters, counts, communities, onChange }: MatchesElsewhereProps) {
  const others = useQuery(otherMatchesQuery(filters));
  return (
    <MatchOffers
      offers={offersElsewhere(filters, counts, others.data ?? 0, communities)}
      onChange={onChange}
    />
  );
}
