import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { type InvoiceGroup, invoicesKeys, wireFilters } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';

/** Invoices of a group that one request brings. */
export const STEP_ROWS = 50;
/** A call for archived invoices brings the others as well: those of an archived group are picked from so many. */
const PICKED_FROM = 1_000;

/** The invoices of a group from an offset on, in the order of the screen and under its filters. */
export const groupInvoicesQuery = (
  filters: InvoiceFilters,
  { reference_number, is_archived }: Pick<InvoiceGroup, 'reference_number' | 'is_archived'>,
  { offset, limit = STEP_ROWS }: { offset: number; limit?: number },
) => {
  const { tab: _tab, rows: _rows, page: _page, ...relevant } = filters;
  return queryOptions({
    queryKey: [...invoicesKeys.lists, 'of', reference_number, is_archived, relevant, offset, limit],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/invoices/admin/all', {
        query: {
          ...wireFilters(filters),
          reference_number,
          include_archived: is_archived ? 'true' : undefined,
          orderBy: filters.sort.column,
          orderDir: filters.sort.direction,
          limit: String(is_archived ? PICKED_FROM : limit),
          offset: String(is_archived ? 0 : offset),
        },
        signal,
      });
      return is_archived ? data.filter((one) => one.is_archived).slice(offset, offset + limit) : data;
    },
  });
};
