import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

export const savedViewsQuery = queryOptions({
  queryKey: ['saved-views', 'invoices'],
  refetchOnMount: true,
  staleTime: 30_000,
  queryFn: async ({ signal }) =>
    (await call('GET /api/saved-views', { query: { screen: 'invoices' }, signal })).data,
});
