import type { CallAnswer } from '@copydesk/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { type SecurityLogFilters, wireSecurityLog } from './security-log-search.ts';

export type RefusedAttempt = CallAnswer<'GET /api/audit/refusals'>['data'][number];
export type SecurityLogMeta = CallAnswer<'GET /api/audit/refusals'>['meta'];

const PAGE_ROWS = 50;

export const securityLogQuery = (filters: SecurityLogFilters) =>
  infiniteQueryOptions({
    queryKey: ['security-log', filters],
    refetchOnMount: true,
    staleTime: 10_000,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/audit/refusals', {
        query: { ...wireSecurityLog(filters), limit: String(PAGE_ROWS), cursor: pageParam },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });
