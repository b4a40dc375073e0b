import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery, STEP_ROWS } from './group-invoices-query.ts';
import { groupKey } from './held-page.ts';
import type { Unfolded } from './tree-rows.ts';

/** What the list needs of each request. While none of it changes, the list's lines stay the same objects. */
const essentials = (results: UseQueryResult<Invoice[]>[]) =>
  results.map(({ data, error, refetch }) => ({ data, error, refetch }));

/**
 * Which groups are unfolded and what they hold. Only those that are asked for: of a page of a hundred unfolded groups,
 * the ones in view.
 */
export function useUnfolded(
  filters: InvoiceFilters,
  groups: readonly InvoiceGroup[],
  inView: ReadonlySet<string>,
) {
  /** Steps by group: 1 when unfolded, more when more was asked for. */
  const [steps, setSteps] = useState<ReadonlyMap<string, number>>(new Map());
  const wanted = useMemo(
    () =>
      groups.flatMap((group) =>
        Array.from({ length: steps.get(groupKey(group)) ?? 0 }, (_, step) => ({ group, step })),
      ),
    [groups, steps],
  );
  const results = useQueries({
    queries: wanted.map(({ group, step }) => ({
      ...groupInvoicesQuery(filters, group, { offset: step * STEP_ROWS }),
      enabled: inView.has(groupKey(group)),
    })),
    combine: essentials,
  });

  const unfolded = useMemo(() => {
    const byKey = new Map<string, Unfolded>();
    for (const [index, { group }] of wanted.entries()) {
      const { data, error, refetch } = results[index] ?? {};
      const before = byKey.get(groupKey(group))?.steps ?? [];
      byKey.set(groupKey(group), { steps: [...before, { data, error, retry: () => void refetch?.() }] });
    }
    return byKey;
  }, [wanted, results]);

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
    unfolded,
    /** @param isExpanded undefined turns it round */
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
