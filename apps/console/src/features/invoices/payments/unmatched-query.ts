import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';

export type UnmatchedPage = CallAnswer<'GET /api/payments/unmatched'>;
export type UnmatchedPayment = UnmatchedPage['data'][number];

const STALE_MS = 30_000;

const read = (limit: number, offset: number, signal: AbortSignal) =>
  call('GET /api/payments/unmatched', { query: { limit: String(limit), offset: String(offset) }, signal });

/** Number and sum of unmatched payments. Super admins only. */
export const unmatchedTotalsQuery = queryOptions({
  queryKey: [...invoicesKeys.unmatched, 'totals'],
  staleTime: STALE_MS,
  refetchOnMount: true,
  queryFn: async ({ signal }) => (await read(1, 0, signal)).meta,
});

/** A page of unmatched payments, latest first. */
export const unmatchedQuery = (page: number, rows: number) =>
  queryOptions({
    queryKey: [...invoicesKeys.unmatched, page, rows],
    staleTime: STALE_MS,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(rows, (page - 1) * rows, signal),
  });
