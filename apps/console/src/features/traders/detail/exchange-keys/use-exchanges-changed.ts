import { useQueryClient } from '@tanstack/react-query';
import { invalidate } from '../../../../lib/api/read-again.ts';
import { tradersKeys } from '../../traders-queries.ts';
import { balancesQuery } from './balances-query.ts';
import { ipWhitelistQuery } from './ip-whitelist-query.ts';

/** After an account was added or removed: all data of the trader is loaded again. */
export function useExchangesChanged(traderId: string): () => void {
  const client = useQueryClient();
  return () => {
    client.removeQueries({ queryKey: tradersKeys.lists, type: 'inactive' });
    void invalidate(client, { queryKey: tradersKeys.detail(traderId) });
    void invalidate(client, balancesQuery(traderId));
    void invalidate(client, ipWhitelistQuery(traderId));
    // Open positions come and go with their accounts: a request for those of a removed account would answer 404.
  };
}
