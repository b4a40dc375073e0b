import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

export type SetupStep = CallAnswer<'GET /api/setup-checklist'>['data'][number];

/** What the installation still needs. Its parts raise no change events of one kind: it is read again when looked at. */
export const setupQuery = queryOptions({
  queryKey: ['setup-checklist'],
  staleTime: 10_000,
  refetchOnMount: true,
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) => (await call('GET /api/setup-checklist', { signal })).data,
});
