import type { CallInput } from '@copydesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { isChangedMeanwhile } from '../../../lib/api/api-error.ts';
import { tradersKeys } from '../traders-queries.ts';
import { traderQuery } from './trader-query.ts';

/** Changes a trader, then loads it again. */
export function useChangeTrader(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<'PATCH /api/traders/{id}'>['body']) =>
      call('PATCH /api/traders/{id}', { params: { id }, body }),
    onError: (error) => {
      if (isChangedMeanwhile(error)) void client.invalidateQueries({ queryKey: tradersKeys.detail(id) });
    },
    onSuccess: ({ data }) => {
      client.setQueryData(traderQuery(id).queryKey, (shown) => shown && { ...shown, ...data });
      void client.invalidateQueries({ queryKey: tradersKeys.detail(id) });
      client.removeQueries({ queryKey: tradersKeys.lists, type: 'inactive' });
    },
  });
}
