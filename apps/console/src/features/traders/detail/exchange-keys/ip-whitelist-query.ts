import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../../../lib/api/read-retry.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type IpWhitelist = CallAnswer<'GET /api/traders/{id}/ip-whitelist'>['data'][number];

/** The exchanges' information about the keys (limits of the console spec, sections 7 and 9). */
export const ipWhitelistQuery = (traderId: string) =>
  queryOptions({
    queryKey: [...tradersKeys.live(traderId), 'ip-whitelist'],
    staleTime: 5 * 60_000,
    gcTime: 10 * 60_000,
    refetchOnMount: true,
    retry: retryUnless((status) => status === 404, 2),
    retryDelay,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/ip-whitelist', { params: { id: traderId }, signal })).data,
  });
