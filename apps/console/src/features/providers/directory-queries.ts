import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

/** Lists of providers are kept for five minutes (super-admin spec, section 9), unless one of them changes. */
const PROVIDERS_STALE_MS = 300_000;

export const communitiesQuery = queryOptions({
  queryKey: ['communities'],
  queryFn: async ({ signal }) => (await call('GET /api/communities', { signal })).data,
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  staleTime: PROVIDERS_STALE_MS,
  queryFn: async ({ signal }) => (await call('GET /api/providers', { signal })).data,
});
