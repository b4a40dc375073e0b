import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import type { Days } from '../../../lib/url/range-days.ts';
import { communitiesKeys } from '../communities-keys.ts';

export type SignupDay = CallAnswer<'GET /api/communities/{id}/signups'>['data'][number];

/** Traders who joined, by day and source; days without one are left out. */
export const signupsQuery = (id: string, days: Days) =>
  queryOptions({
    queryKey: [...communitiesKeys.signups(id), days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/signups', { params: { id }, query: { ...days }, signal })).data,
  });
