import { useQueries } from '@tanstack/react-query';
import type { Invoice } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery } from '../list/group-invoices-query.ts';
import { type Chosen, countOf } from './act.ts';

/** More are not looked at one by one before something is done to them. */
const MOST_GROUPS = 20;
const MOST_INVOICES = 1_000;

/** Every invoice that an act is about, for saying what will happen; null while on its way, or where there are too many. */
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
