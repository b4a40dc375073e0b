import { queryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { type Invoice, type InvoiceGroup, wireFilters } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery, STEP_ROWS } from './group-invoices-query.ts';
import { groupKey } from './held-page.ts';
import type { Unfolded } from './tree-rows.ts';
import { isOfStrangers } from './unknown-group.ts';

type Result<T> = Pick<UseQueryResult<T[]>, 'data' | 'error' | 'refetch'>;
interface Wanted {
  group: InvoiceGroup;
  step: number;
}

/** The parts of each request that the list needs. While they are unchanged, the rows stay the same objects. */
const essentials = <T>(results: UseQueryResult<T[]>[]): Result<T>[] =>
  results.map(({ data, error, refetch }) => ({ data, error, refetch }));
const ofInvoices = (results: UseQueryResult<Invoice[]>[]) => essentials(results);
const ofTraders = (results: UseQueryResult<InvoiceGroup[]>[]) => essentials(results);

/** The steps to load for these groups: one for each unfolded group, and those requested beyond it. */
const wantedOf = (groups: readonly InvoiceGroup[], steps: ReadonlyMap<string, number>): Wanted[] =>
  groups.flatMap((group) =>
    Array.from({ length: steps.get(groupKey(group)) ?? 0 }, (_, step) => ({ group, step })),
  );

function byGroup<T>(wanted: readonly Wanted[], results: readonly Result<T>[]): Map<string, Unfolded<T>> {
  const byKey = new Map<string, Unfolded<T>>();
  for (const [index, { group }] of wanted.entries()) {
    const { data, error, refetch } = results[index] ?? {};
    const before = byKey.get(groupKey(group))?.steps ?? [];
    byKey.set(groupKey(group), {
      steps: [...before, { data, error: error ?? null, retry: () => void refetch?.() }],
    });
  }
  return byKey;
}

/**
 * The unfolded groups and their contents. Loads requested groups only: of a page of a hundred unfolded groups, those in
 * view. Traders without a reference number unfold into one group each, and those into their invoices.
 */
export function useUnfolded(
  filters: InvoiceFilters,
  groups: readonly InvoiceGroup[],
  inView: ReadonlySet<string>,
) {
  /** Steps by group: 1 when unfolded, more on request. */
  const [steps, setSteps] = useState<ReadonlyMap<string, number>>(new Map());
  const wantedTraders = useMemo(() => wantedOf(groups.filter(isOfStrangers), steps), [groups, steps]);
  const traderResults = useQueries({
    queries: wantedTraders.map(({ group, step }) => ({
      ...unknownTradersQuery(filters, group, { offset: step * STEP_ROWS }),
      enabled: inView.has(groupKey(group)),
    })),
    combine: ofTraders,
  });
  /** Every group that contains invoices directly. */
  const holders = useMemo(
    () => [
      ...groups.filter((group) => !isOfStrangers(group)),
      ...traderResults.flatMap(({ data }) => data ?? []),
    ],
    [groups, traderResults],
  );
  const wanted = useMemo(() => wantedOf(holders, steps), [holders, steps]);
  const results = useQueries({
    queries: wanted.map(({ group, step }) => ({
      ...groupInvoicesQuery(filters, group, { offset: step * STEP_ROWS }),
      enabled: inView.has(groupKey(group)),
    })),
    combine: ofInvoices,
  });
  const invoices = useMemo(() => byGroup(wanted, results), [wanted, results]);
  const traders = useMemo(() => byGroup(wantedTraders, traderResults), [wantedTraders, traderResults]);

  const change = useCallback((changed: readonly InvoiceGroup[], stepsAfter: (before: number) => number) => {
    setSteps((before) => {
      const next = new Map(before);
      for (const group of changed) {
        const after = stepsAfter(next.get(groupKey(group)) ?? 0);
        if (after > 0) next.set(groupKey(group), after);
        else next.delete(groupKey(group));
      }
      return next;
    });
  }, []);
  return {
    holders,
    unfolded: useMemo(
      () => ({
        invoicesOf: (key: string) => invoices.get(key),
        tradersOf: (key: string) => traders.get(key),
        isAny: invoices.size + traders.size > 0,
      }),
      [invoices, traders],
    ),
    /** @param isExpanded undefined toggles */
    toggle: useCallback(
      (group: InvoiceGroup, isExpanded?: boolean) =>
        change([group], (before) => ((isExpanded ?? before === 0) ? Math.max(1, before) : 0)),
      [change],
    ),
    toggleAll: useCallback(
      (isExpanded: boolean) => change(groups, (before) => (isExpanded ? Math.max(1, before) : 0)),
      [change, groups],
    ),
    showMore: useCallback((group: InvoiceGroup) => change([group], (before) => before + 1), [change]),
  };
}

/** The traders without a reference number from an offset, one group each, in the screen's order. */
const unknownTradersQuery = (
  filters: InvoiceFilters,
  { is_archived }: Pick<InvoiceGroup, 'is_archived'>,
  { offset }: { offset: number },
) => {
  const { tab: _tab, rows: _rows, page: _page, ...relevant } = filters;
  return queryOptions({
    queryKey: [...invoicesKeys.lists, 'unknown', is_archived, relevant, offset],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/invoices/admin/groups/unknown', {
        query: {
          ...wireFilters(filters),
          is_archived: String(is_archived) as 'true' | 'false',
          orderBy: filters.sort.column,
          orderDir: filters.sort.direction,
          limit: String(STEP_ROWS),
          offset: String(offset),
        },
        signal,
      });
      return data;
    },
  });
};
