import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

/** Not everything that moves a figure sends an event. */
const READ_AGAIN_MS = 60_000;

/** What the system did today. */
export const dayQuery = queryOptions({
  queryKey: ['overview', 'today'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: READ_AGAIN_MS,
  queryFn: async ({ signal }) => (await call('GET /api/overview/today', { signal })).data,
});

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: READ_AGAIN_MS,
  queryFn: async ({ signal }) => (await call('GET /api/overview', { signal })).data,
});
