import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';

export type Run = CallAnswer<'GET /api/invoices/runs'>['data'][number];

const FOLLOWED_EVERY_MS = 2_000;
const isFollowed = (run: Run | null | undefined) =>
  run?.state === 'running' || (run?.messages.waiting ?? 0) > 0;

/** The latest run, also of another person, with messages that fail later. Super admins only. */
export const lastRunQuery = queryOptions({
  queryKey: [...invoicesKeys.runs, 'last'],
  staleTime: 30_000,
  refetchOnMount: true,
  queryFn: async ({ signal }) =>
    (await call('GET /api/invoices/runs', { query: { limit: '1' }, signal })).data[0] ?? null,
  refetchInterval: ({ state: { data } }) => (isFollowed(data) ? 5_000 : 60_000),
});

/** A run, polled until it is done and its messages are sent. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...invoicesKeys.runs, id],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/invoices/runs/{id}', { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isFollowed(data) ? FOLLOWED_EVERY_MS : false,
  });
