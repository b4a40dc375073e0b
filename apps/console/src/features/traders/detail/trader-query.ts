import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../../lib/api/read-retry.ts';
import { requireId } from '../../../lib/api/require-id.ts';
import { tradersKeys } from '../traders-queries.ts';

/** The database's data of a trader: shown at once, before any exchange is read. */
export const traderQuery = (id: string) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(id), 'record'],
    staleTime: 30_000,
    // A return to a trader after a while shows the current state.
    refetchOnMount: true,
    retry: retryUnless((status) => status >= 400 && status < 500, 3),
    retryDelay,
    queryFn: async ({ signal }) => {
      requireId(id);
      const query = {
        include_aum: 'true',
        include_exchanges: 'true',
        include_active_positions: 'true',
        include_referrals: 'true',
        include_invoices: 'true',
        include_standing: 'true',
      } as const;
      return (await call('GET /api/traders/{id}', { params: { id }, query, signal })).data;
    },
  });
