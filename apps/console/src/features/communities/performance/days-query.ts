import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import type { Days } from '../../../lib/url/range-days.ts';
import { communitiesKeys } from '../communities-keys.ts';

export type CommunityDay = CallAnswer<'GET /api/communities/{id}/days'>['data'][number];

/** AUM at the end of each day, with the day's money in and out. */
export const daysQuery = (id: string, days: Days) =>
  queryOptions({
    queryKey: [...communitiesKeys.days(id), days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/days', { params: { id }, query: { ...days }, signal })).data,
  });
