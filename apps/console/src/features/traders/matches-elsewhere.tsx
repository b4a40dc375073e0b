import { useQuery } from '@tanstack/react-query';
import type { Option } from '../../lib/list/filters.ts';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { offersElsewhere } from './elsewhere.ts';
import { otherMatchesQuery, type TradersPage } from './traders-queries.ts';
import type { TraderListFilters, TradersSearch } from './traders-search.ts';

interface MatchesElsewhereProps {
  filters: TraderListFilters;
  counts: TradersPage['meta']['counts'];
  communities: readonly Option[];
  onChange(changed: TradersSearch): void;
}

/** Matches of the search in other tabs and in other fields. */
export default function MatchesElsewhere({ filters, counts, communities, onChange }: MatchesElsewhereProps) {
  const others = useQuery(otherMatchesQuery(filters));
  const offers = offersElsewhere(filters, counts, others.data ?? 0, communities);
  return <MatchOffers offers={offers} onChange={onChange} />;
}
