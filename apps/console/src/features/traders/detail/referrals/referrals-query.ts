import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { tradersKeys } from '../../traders-queries.ts';

export type Referral = CallAnswer<'GET /api/traders/{id}/referrals'>['data'][number];

/** Referred traders shown at first, and how many more each time. */
export const REFERRALS_STEP = 10;

/** The first referrals of a trader, with its code and what they earned it. */
export const referralsQuery = (id: string, limit = REFERRALS_STEP) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(id), 'referrals', limit],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/traders/{id}/referrals', { params: { id }, query: { limit: String(limit) }, signal }),
  });
