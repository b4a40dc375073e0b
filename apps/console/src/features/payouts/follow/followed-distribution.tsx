import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { payoutsOfQuery } from '../payouts-queries.ts';
import { type Followed, unfollowDistribution } from './followed-distributions.ts';
import { outcomeOf } from './outcome.ts';

/** Announces the end of a distribution. Loaded on demand. */
export default function FollowedDistribution({ followed }: { followed: Followed }) {
  const { communityId, distributionId } = followed;
  const { data } = useQuery(payoutsOfQuery(communityId, distributionId));
  const outcome = data ? outcomeOf(followed, data) : null;
  useEffect(() => {
    if (outcome && unfollowDistribution(distributionId)) toast(outcome);
  });
  return null;
}
