import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

export type Subscription = CallAnswer<'GET /api/communities/{id}/subscription'>['data'];
/** One of the list: what it costs is the same for all. */
export type ListedSubscription = CallAnswer<'GET /api/subscriptions'>['data'][number];
export type Interval = 'monthly' | 'yearly';

/** Below the key of communities: a change of a subscription is announced as one of its community. */
export const subscriptionKey = (communityId: string) => ['communities', 'subscription', communityId] as const;

export const subscriptionQuery = (communityId: string) =>
  queryOptions({
    queryKey: subscriptionKey(communityId),
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/subscription', { params: { id: communityId }, signal })).data,
  });

export const subscriptionsQuery = queryOptions({
  queryKey: ['communities', 'subscriptions'],
  refetchOnMount: true,
  queryFn: ({ signal }) => call('GET /api/subscriptions', { signal }),
});
