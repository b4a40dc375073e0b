import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { type InvoiceGroup, invoicesKeys, wireFilters } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { STEP_ROWS } from './group-invoices-query.ts';

/** The traders without a reference number from an offset, one group each, in the screen's order. */
export const unknownTradersQuery = (
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
