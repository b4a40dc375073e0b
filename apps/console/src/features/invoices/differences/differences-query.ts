import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';

export type Difference = CallAnswer<'GET /api/invoices/differences'>['data'][number];
export type Deduction = CallAnswer<'GET /api/invoices/deductions'>['data'][number];

const OF_PAGE = { staleTime: 30_000, refetchOnMount: true, placeholderData: keepPreviousData } as const;
const range = (page: number, rows: number) => ({
  limit: String(rows),
  offset: String((page - 1) * rows),
});

/** A page of the differences between invoices and exchanges, latest first, and their number. Super admins only. */
export const differencesQuery = (page: number, rows: number) =>
  queryOptions({
    ...OF_PAGE,
    queryKey: [...invoicesKeys.differences, 'open', page, rows],
    queryFn: ({ signal }) => call('GET /api/invoices/differences', { query: range(page, rows), signal }),
  });

/** A page of the deductions that next invoices are still less by, latest first, and their number. Super admins only. */
export const deductionsQuery = (page: number, rows: number) =>
  queryOptions({
    ...OF_PAGE,
    queryKey: [...invoicesKeys.differences, 'deductions', page, rows],
    queryFn: ({ signal }) => call('GET /api/invoices/deductions', { query: range(page, rows), signal }),
  });
