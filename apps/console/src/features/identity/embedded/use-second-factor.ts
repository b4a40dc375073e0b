import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

/** The second factors of the own account. */
export function useSecondFactor() {
  return useQuery({
    queryKey: ['own-second-factor'],
    refetchOnMount: true,
    queryFn: async ({ signal }) => (await call('GET /api/me/second-factor', { signal })).data,
  });
}
