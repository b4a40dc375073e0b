import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

export type SetupStep = CallAnswer<'GET /api/setup-checklist'>['data'][number];

/** Steps are done on this screen, on others, on the server and by the worker; no event covers all of them. */
const FOLLOW_MS = 5_000;

/** What the installation still needs, followed until nothing is left. */
export const setupQuery = queryOptions({
  queryKey: ['setup-checklist'],
  staleTime: 10_000,
  refetchOnMount: true,
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) => (await call('GET /api/setup-checklist', { signal })).data,
  refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state !== 'done') ? FOLLOW_MS : false),
});
