import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../../lib/api/read-retry.ts';
import { invoicesKeys } from '../invoices-keys.ts';

export type InvoiceDetail = CallAnswer<'GET /api/invoices/{id}'>['data'];
export type InvoicedPosition = CallAnswer<'GET /api/invoices/{id}/positions'>['data'][number];

export const POSITION_ROWS = 10;

const fresh = { staleTime: 30_000, refetchOnMount: true } as const;

export const invoiceQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: invoicesKeys.record(id),
    retry: retryUnless((status) => status >= 400 && status < 500, 1),
    retryDelay,
    queryFn: async ({ signal }) => (await call('GET /api/invoices/{id}', { params: { id }, signal })).data,
  });

export const positionsQuery = (id: string, page: number, rows: number = POSITION_ROWS) =>
  queryOptions({
    ...fresh,
    queryKey: [...invoicesKeys.detail(id), 'positions', rows, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/invoices/{id}/positions', {
        params: { id },
        query: { limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
  });

/** The state of a queued message is polled: it changes without a change of the invoice. */
const QUEUED_EVERY_MS = 5_000;

export const messagesQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...invoicesKeys.detail(id), 'messages'],
    queryFn: ({ signal }) => call('GET /api/messages', { query: { invoice_id: id, limit: '25' }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((message) => message.state === 'queued') ? QUEUED_EVERY_MS : false,
  });
