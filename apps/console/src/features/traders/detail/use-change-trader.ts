import type { CallAnswer, CallInput } from '@copydesk/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { tradersKeys } from '../traders-queries.ts';
import { traderQuery } from './trader-query.ts';

const CHANGE = 'PATCH /api/traders/{id}';

/** A change of a trader, for the form that makes it. */
export function useChangeTrader(id: string) {
  const client = useQueryClient();
  return {
    change: (body: CallInput<typeof CHANGE>['body']) => call(CHANGE, { params: { id }, body }),
    /** Shows what the server has made of it. */
    changed({ data }: CallAnswer<typeof CHANGE>) {
      client.setQueryData(traderQuery(id).queryKey, (shown) => shown && { ...shown, ...data });
      client.removeQueries({ queryKey: tradersKeys.lists, type: 'inactive' });
    },
    reads: tradersKeys.detail(id),
  };
}
