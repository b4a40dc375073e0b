import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

export type Colleague = CallAnswer<'GET /api/providers/{id}/people'>['data'][number];

export const teamQuery = (providerId: string) =>
  queryOptions({
    queryKey: ['people', 'team', providerId],
    staleTime: 15_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/providers/{id}/people', { params: { id: providerId }, signal })).data,
  });
