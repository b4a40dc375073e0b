import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { matchesOnPage } from '../match-on-page.ts';
import { sweepsProblem } from '../sweeps-problem.ts';
import { sweepsQuery } from '../sweeps-queries.ts';
import type { SweepFilters } from '../sweeps-search.ts';

/** A page of payouts, and of it the rows that are searched for. */
export function useSweeps(filters: SweepFilters, find: string | undefined) {
  const { data, error, isPlaceholderData } = useQuery(sweepsQuery(filters));
  const rows = useMemo(() => {
    const all = data?.data ?? [];
    return find ? all.filter((row) => matchesOnPage(row, find)) : all;
  }, [data, find]);
  return {
    rows,
    /** Of all that the filters leave; null while it is not known. */
    total: data?.meta.total ?? null,
    totalsAt: data?.meta.totals_at ?? null,
    /** The rows belong to the previous question. */
    isStale: isPlaceholderData,
    problem: error && !data ? sweepsProblem(error) : null,
  };
}
