import type { CallAnswer } from '@copydesk/contract';
import { signOf } from '@copydesk/domain/trading';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import type { Days } from '../../../lib/url/range-days.ts';
import { communitiesKeys } from '../communities-keys.ts';

export type CommunityDay = CallAnswer<'GET /api/communities/{id}/days'>['data'][number];

/** Whether any AUM of these days is in pools. */
export const hasPools = (days: readonly CommunityDay[]) =>
  days.some(({ pool_capital }) => signOf(pool_capital) > 0);

/** AUM at the end of each day, with the day's money in and out, and the changes of the split. */
export const daysQuery = (id: string, days: Days) =>
  queryOptions({
    queryKey: [...communitiesKeys.days(id), days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/communities/{id}/days', { params: { id }, query: { ...days }, signal }),
  });
