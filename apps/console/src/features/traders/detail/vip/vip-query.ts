import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import { tradersKeys } from '../../traders-queries.ts';

/** The VIP level of a trader by its AUM. */
export const vipQuery = (id: string) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(id), 'vip'],
    staleTime: 30_000,
    queryFn: async ({ signal }) => (await call('GET /api/traders/{id}/vip', { params: { id }, signal })).data,
  });
