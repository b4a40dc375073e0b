import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { type LinesFilters, runLinesList } from './run-lines-search.ts';

export type Run = CallAnswer<'GET /api/invoices/runs'>['data'][number];
export type RunDetail = CallAnswer<'GET /api/invoices/runs/{id}'>['data'];
export type LinesAnswer = CallAnswer<'GET /api/invoices/runs/{id}/lines'>;
export type Line = LinesAnswer['data'][number];

const FOLLOWED_EVERY_MS = 2_000;
/** Another person may leave traders out, or send it. */
const DRAFT_EVERY_MS = 10_000;
export const isWorking = ({ state }: Pick<Run, 'state'>) =>
  state === 'preparing' || state === 'running' || state === 'sending';
const isFollowed = (run: Run | null | undefined) =>
  run != null && (isWorking(run) || run.messages.waiting > 0);
const followedEvery = (run: Run | undefined) =>
  run === undefined || isFollowed(run)
    ? FOLLOWED_EVERY_MS
    : run.state === 'draft'
      ? DRAFT_EVERY_MS
      : (false as const);

/** The latest run, also of another person, with messages that fail later. Super admins only. */
export const lastRunQuery = queryOptions({
  queryKey: [...invoicesKeys.runs, 'last'],
  staleTime: 30_000,
  refetchOnMount: true,
  queryFn: async ({ signal }) =>
    (await call('GET /api/invoices/runs', { query: { limit: '1' }, signal })).data[0] ?? null,
  refetchInterval: ({ state: { data } }) => (isFollowed(data) ? 5_000 : 60_000),
});

/** A page of the runs, latest first. */
export const runsQuery = ({ page, rows }: { page: number; rows: number }) =>
  queryOptions({
    queryKey: [...invoicesKeys.runs, 'list', page, rows],
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/invoices/runs', {
        query: { limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isFollowed) ? FOLLOWED_EVERY_MS : 30_000),
  });

/** A run, read again until it is done and its messages are sent, and while it is a draft. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...invoicesKeys.runs, id],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/invoices/runs/{id}', { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) => followedEvery(data),
  });

/** Which of its traders match. */
export const lineFilters = ({ outcome, page: _, rows: _rows, sort, ...filters }: LinesFilters) => ({
  ...runLinesList.wire(filters),
  ...(outcome && { outcome }),
});

/** A page of its traders. */
export const linesQuery = (run: Run, filters: LinesFilters) => {
  const { page, rows } = filters;
  const query = {
    ...lineFilters(filters),
    limit: String(rows),
    offset: String((page - 1) * rows),
  };
  return queryOptions({
    // A run has other lines in each state: those of a ready draft are read at once, not when they are due.
    queryKey: [...invoicesKeys.runs, run.id, 'lines', run.state, query],
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/invoices/runs/{id}/lines', { params: { id: run.id }, query, signal }),
    refetchInterval: followedEvery(run),
  });
};
