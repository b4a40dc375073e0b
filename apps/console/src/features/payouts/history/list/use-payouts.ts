import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { payoutsProblem } from '../history-problem.ts';
import { payoutsQuery } from '../history-queries.ts';
import type { PayoutFilters } from '../history-search.ts';
import { matchesOnPage } from '../match-on-page.ts';

/** A page of payouts, and its rows that match the search. */
export function usePayouts(filters: PayoutFilters, find: string | undefined) {
  const { data, error, isPlaceholderData } = useQuery(payoutsQuery(filters));
  const rows = useMemo(() => {
    const all = data?.data ?? [];
    return find ? all.filter((row) => matchesOnPage(row, find)) : all;
  }, [data, find]);
  return {
    rows,
    /** Payouts under the filters; null until known. */
    total: data?.meta.total ?? null,
    /** Their sum, USDT. */
    totalAmount: data?.meta.total_amount ?? null,
    totalsAt: data?.meta.totals_at ?? null,
    /** The rows belong to the previous filters. */
    isStale: isPlaceholderData,
    problem: error && !data ? payoutsProblem(error) : null,
  };
}
