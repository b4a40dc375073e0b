import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

export const communitiesQuery = queryOptions({
  queryKey: ['communities'],
  queryFn: async ({ signal }) => (await call('GET /api/communities', { signal })).data,
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async ({ signal }) => (await call('GET /api/providers', { signal })).data,
});
