import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type AuditEntry = CallAnswer<'GET /api/traders/{id}/audit'>['data'][number];

/** The newest audit entries. Super admins only. */
export const auditQuery = (traderId: string, limit: number) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'audit', limit],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/traders/{id}/audit', {
        params: { id: traderId },
        query: { limit: String(limit) },
        signal,
      }),
  });
