import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

export type DepositReading = CallAnswer<'GET /api/super-admin/deposit-reading'>['data'];

/** A stop sends no event, and a person learns of it within half a minute. */
const READ_AGAIN_MS = 10_000;

/** How far the chain was read for deposits, and why reading stopped. */
export const depositReadingQuery = queryOptions({
  queryKey: ['deposit-reading'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: READ_AGAIN_MS,
  queryFn: async ({ signal }) => (await call('GET /api/super-admin/deposit-reading', { signal })).data,
});
