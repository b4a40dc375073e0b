import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

export type ServiceToken = CallAnswer<'GET /api/service-tokens'>['data'][number];

export const tokensKey = ['service-tokens'] as const;

/** @param hasRevoked with those that no longer work */
export const tokensQuery = (hasRevoked: boolean) =>
  queryOptions({
    queryKey: [...tokensKey, hasRevoked],
    refetchOnMount: true,
    staleTime: 15_000,
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/service-tokens', {
          query: hasRevoked ? { include_revoked: 'true' } : {},
          signal,
        })
      ).data,
  });
