import type { CallAnswer } from '@copydesk/contract';
import type { TraderExchange } from '@copydesk/contract/exchanges';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../../../lib/api/read-retry.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type Balances = CallAnswer<'GET /api/exchanges/trader/{id}/balances'>['data'];

/** USD equity of every account, live from the exchanges (limits of the console spec, section 9). */
export const balancesQuery = (traderId: string) =>
  queryOptions({
    queryKey: [...tradersKeys.live(traderId), 'balances'],
    staleTime: 30_000,
    refetchOnMount: true,
    refetchInterval: 60_000,
    retry: retryUnless((status) => status === 401 || status === 404, 2),
    retryDelay,
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchanges/trader/{id}/balances', { params: { id: traderId }, signal })).data,
  });

/** The balance of an account. Where two exchanges share a uid, the map's key includes the exchange. */
export function balanceOf(balances: Balances | undefined, { exchange, acc_uid }: TraderExchange) {
  return Object.values(balances ?? {}).find(
    (balance) => balance.exchange === exchange && balance.acc_uid === acc_uid,
  );
}
