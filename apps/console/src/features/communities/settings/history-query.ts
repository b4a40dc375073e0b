import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { communitiesKeys } from '../communities-queries.ts';

/** The newest changes of a community's settings. */
export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...communitiesKeys.history(id), limit],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/super-admin/communities/{id}/split-history', {
        params: { id },
        query: { limit: String(limit) },
        signal,
      }),
  });
