import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

export type AccessCall = CallAnswer<'GET /api/access/calls'>['data'][number];

/** It changes with the version of the API alone. */
export const accessCallsQuery = queryOptions({
  queryKey: ['access', 'calls'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await call('GET /api/access/calls', { signal })).data,
});
