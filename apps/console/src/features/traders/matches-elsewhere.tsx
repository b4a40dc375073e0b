import { useQuery } from '@tanstack/react-query';
import { MatchOffers } from '../../ui/filters/match-offers.tsx';
import { offersElsewhere } from './elsewhere.ts';
import { otherMatchesQuery, type TradersPage } from './traders-queries.ts';
import type { TraderListFilters, TradersSearch } from './traders-search.ts';

interface MatchesElsewhereProps {
  filters: TraderListFilters;
  counts: TradersPage['meta']['counts'];
  onChange(changed: TradersSearch): void;
}

/** Below the list: matches of the search in other tabs and in other fields. */
export function MatchesElsewhere({ filters, counts, onChange }: MatchesElsewhereProps) {
  const others = useQuery(otherMatchesQuery(filters));
  const offers = offersElsewhere(filters, counts, others.data ?? 0);
  return <MatchOffers offers={offers} onChange={onChange} />;
}
