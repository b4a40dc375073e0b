import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

const ASK_EVERY_MS = 30_000;

/** The problems that need an operator, as displayed. The server tells them to super admins alone. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }) => (await call('GET /api/ready', { signal })).data ?? null,
  refetchInterval: ASK_EVERY_MS,
});
