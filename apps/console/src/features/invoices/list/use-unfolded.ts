import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { InvoiceGroup } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery, STEP_ROWS } from './group-invoices-query.ts';
import { groupKey } from './held-page.ts';
import type { Unfolded } from './tree-rows.ts';

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
  const wanted = groups.flatMap((group) =>
    Array.from({ length: steps.get(groupKey(group)) ?? 0 }, (_, step) => ({ group, step })),
  );
  const results = useQueries({
    queries: wanted.map(({ group, step }) => ({
      ...groupInvoicesQuery(filters, group, { offset: step * STEP_ROWS }),
      enabled: inView.has(groupKey(group)),
    })),
  });

  const unfolded = useMemo(() => {
    const byKey = new Map<string, Unfolded>();
    for (const [index, { group }] of wanted.entries()) {
      const result = results[index];
      const before = byKey.get(groupKey(group))?.steps ?? [];
      const step = {
        data: result?.data,
        error: result?.error,
        retry: () => void result?.refetch(),
      };
      byKey.set(groupKey(group), { steps: [...before, step] });
    }
    return byKey;
  }, [wanted, results]);

  const change = useCallback((changed: (next: Map<string, number>) => void) => {
    setSteps((before) => {
      const next = new Map(before);
      changed(next);
      return next;
    });
  }, []);
  return {
    unfolded,
    toggle: (group: InvoiceGroup, isExpanded = !steps.has(groupKey(group))) =>
      change((next) => {
        if (isExpanded) next.set(groupKey(group), next.get(groupKey(group)) ?? 1);
        else next.delete(groupKey(group));
      }),
    toggleAll: (isExpanded: boolean) =>
      change((next) => {
        for (const group of groups) {
          if (isExpanded) next.set(groupKey(group), next.get(groupKey(group)) ?? 1);
          else next.delete(groupKey(group));
        }
      }),
    showMore: (group: InvoiceGroup) =>
      change((next) => next.set(groupKey(group), (next.get(groupKey(group)) ?? 1) + 1)),
  };
}
