import { useQuery } from '@tanstack/react-query';
import { offersElsewhere } from './elsewhere.ts';
import { otherMatchesQuery, type TradersPage } from './traders-queries.ts';
import type { TraderFilters, TradersSearch } from './traders-search.ts';

interface MatchesElsewhereProps {
  filters: TraderFilters;
  counts: TradersPage['meta']['counts'];
  onChange(changed: TradersSearch): void;
}

/** Beneath the list: what the search finds in other tabs and in other fields. */
export function MatchesElsewhere({ filters, counts, onChange }: MatchesElsewhereProps) {
  const others = useQuery(otherMatchesQuery(filters));
  const offers = offersElsewhere(filters, counts, others.data ?? 0);
  if (offers.length === 0) return null;
  return (
    <section
      aria-label="Matches elsewhere"
      className="flex shrink-0 flex-wrap gap-x-5 gap-y-1 px-1 py-2.5 text-sm text-muted"
    >
      {offers.map(({ text, change }) => (
        <button
          key={text}
          type="button"
          onClick={() => onChange(change)}
          className="min-h-6 text-left tabular-nums underline decoration-line underline-offset-4 hover:text-ink"
        >
          {text}
        </button>
      ))}
    </section>
  );
}
