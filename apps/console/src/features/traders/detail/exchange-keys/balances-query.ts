import type { CallAnswer, TraderExchange } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import { retryDelay, retryUnless } from '../../../../lib/read-retry.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type Balances = CallAnswer<'GET /api/exchanges/trader/{id}/balances'>['data'];

/** USD equity of every account, as the exchanges have it now (limits of the console spec, section 9). */
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

/** The balance of an account. Where two exchanges gave the same uid, the map's key is not the uid alone. */
export function balanceOf(balances: Balances | undefined, { exchange, acc_uid }: TraderExchange) {
  return Object.values(balances ?? {}).find(
    (balance) => balance.exchange === exchange && balance.acc_uid === acc_uid,
  );
}
