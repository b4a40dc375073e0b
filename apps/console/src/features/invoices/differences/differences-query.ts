import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { invoicesKeys } from '../invoices-queries.ts';

export type Difference = CallAnswer<'GET /api/invoices/differences'>['data'][number];

/** A page of the differences between invoices and exchanges, latest first, and their number. Super admins only. */
export const differencesQuery = (page: number, rows: number) =>
  queryOptions({
    queryKey: [...invoicesKeys.differences, page, rows],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/invoices/differences', {
        query: { limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
  });
