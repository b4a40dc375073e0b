import type { CallAnswer } from '@copydesk/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { type AuditFilters, wireAudit } from './audit-search.ts';

export type AuditEntry = CallAnswer<'GET /api/audit'>['data'][number];
export type AuditChain = CallAnswer<'GET /api/audit/chain'>['data'];

const PAGE_ROWS = 50;
/** A check of a large chain takes minutes, a seal a second; the screen follows both. */
const FOLLOW_MS = 2_000;

export const auditKeys = { all: ['audit'], chain: ['audit', 'chain'] } as const;

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: [...auditKeys.all, 'list', filters],
    refetchOnMount: true,
    staleTime: 10_000,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/audit', {
        query: { ...wireAudit(filters), limit: String(PAGE_ROWS), before_seq: pageParam },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_seq ?? undefined,
    // Read further, the list would come again as a whole.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.data.some((entry) => !entry.is_sealed) ? FOLLOW_MS : false,
  });

const TODAY_ROWS = 20;
const TODAY_AGAIN_MS = 30_000;

/** What people did today (UTC): the system's own entries, one for each invoice, would hide it. */
export const PEOPLE_TODAY: AuditFilters = { by: 'user', from: 'today' };

export const auditTodayQuery = queryOptions({
  queryKey: [...auditKeys.all, 'today'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: TODAY_AGAIN_MS,
  queryFn: ({ signal }) =>
    call('GET /api/audit', { query: { ...wireAudit(PEOPLE_TODAY), limit: String(TODAY_ROWS) }, signal }),
});

export const auditChainQuery = queryOptions<AuditChain>({
  queryKey: auditKeys.chain,
  refetchOnMount: true,
  refetchInterval: ({ state: { data } }) => (data?.open || data?.unsealed.count ? FOLLOW_MS : false),
  queryFn: async ({ signal }) => (await call('GET /api/audit/chain', { signal })).data,
});
