import type { CallAnswer, TraderExchange } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import { retryDelay, retryUnless } from '../../../../lib/read-retry.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type LivePositions = CallAnswer<'GET /api/exchanges/{exchange}/{id}/positions'>;

/** Open positions of one account, live from its exchange (limits of the console spec, section 9). */
export const positionsQuery = (traderId: string, { exchange, acc_uid }: TraderExchange) =>
  queryOptions({
    queryKey: [...tradersKeys.live(traderId), 'positions', exchange, acc_uid],
    staleTime: 30_000,
    refetchOnMount: true,
    refetchInterval: 120_000,
    retry: retryUnless((status) => status >= 400 && status < 500, 2),
    retryDelay,
    queryFn: ({ signal }) =>
      call('GET /api/exchanges/{exchange}/{id}/positions', {
        params: { exchange, id: traderId },
        query: { acc_uid },
        signal,
      }),
  });
