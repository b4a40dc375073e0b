import { useQueries } from '@tanstack/react-query';
import type { Invoice } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery } from '../list/group-invoices-query.ts';
import { type Chosen, countOf } from './act.ts';

/** Above this number of groups the invoices are not read one by one before the action. */
const MOST_GROUPS = 20;
const MOST_INVOICES = 1_000;

/** Every invoice of an action, for the preview; null while loading, or when there are too many. */
export function useChosenInvoices(filters: InvoiceFilters, chosen: Chosen) {
  const isFew = chosen.groups.length <= MOST_GROUPS && countOf(chosen) <= MOST_INVOICES;
  const results = useQueries({
    queries: (isFew ? chosen.groups : []).map((group) =>
      groupInvoicesQuery(filters, group, { offset: 0, limit: MOST_INVOICES }),
    ),
  });
  const isLoading = results.some((result) => result.isPending);
  const parts = results.map((result) => result.data);
  const isKnown = isFew && parts.every((part) => part !== undefined);
  const invoices: Invoice[] | null = isKnown
    ? [...parts.flatMap((part) => part ?? []), ...chosen.invoices]
    : null;
  return { isLoading, invoices };
}
