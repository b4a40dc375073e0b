import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';

/** The addresses that keys have to allow. */
export const egressQuery = queryOptions({
  queryKey: ['egress-addresses'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await call('GET /api/platform-settings/egress-addresses', { signal })).data,
});
