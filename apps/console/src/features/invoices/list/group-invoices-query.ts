import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { type InvoiceGroup, wireFilters } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { isOfOneStranger } from './unknown-group.ts';

/** Invoices of a group per request. */
export const STEP_ROWS = 50;

/** The invoices of a group from an offset, in the screen's order and under its filters. */
export const groupInvoicesQuery = (
  filters: InvoiceFilters,
  group: Pick<InvoiceGroup, 'reference_number' | 'trader' | 'is_archived'>,
  { offset, limit = STEP_ROWS }: { offset: number; limit?: number },
) => {
  const { reference_number, is_archived } = group;
  const traderId = isOfOneStranger(group) ? group.trader?.id : undefined;
  const { tab: _tab, rows: _rows, page: _page, ...relevant } = filters;
  return queryOptions({
    queryKey: [...invoicesKeys.lists, 'of', reference_number, traderId, is_archived, relevant, offset, limit],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/invoices/admin/all', {
        query: {
          ...wireFilters(filters),
          reference_number,
          trader_id: traderId,
          is_archived: String(is_archived) as 'true' | 'false',
          orderBy: filters.sort.column,
          orderDir: filters.sort.direction,
          limit: String(limit),
          offset: String(offset),
        },
        signal,
      });
      return data;
    },
  });
};
