/** All keys share a prefix: a change of any payout invalidates every one. */
export const payoutsKeys = {
  all: ['payouts'],
  pending: (communityId: string) => ['payouts', 'pending', communityId],
} as const;
