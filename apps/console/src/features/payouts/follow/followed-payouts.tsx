import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../../../lib/store.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { payoutsOfQuery } from '../payouts-queries.ts';
import { type Followed, followedDistributions, unfollowDistribution } from './followed-distributions.ts';
import { outcomeOf } from './outcome.ts';

/** Announces the end of each distribution ordered or approved from this page, on every screen. */
export default function FollowedPayouts() {
  return useStore(followedDistributions).map((followed) => (
    <FollowedDistribution key={followed.distributionId} followed={followed} />
  ));
}

function FollowedDistribution({ followed }: { followed: Followed }) {
  const { communityId, distributionId } = followed;
  const { data } = useQuery(payoutsOfQuery(communityId, distributionId));
  const outcome = data ? outcomeOf(followed, data) : null;
  useEffect(() => {
    if (outcome && unfollowDistribution(distributionId)) toast(outcome);
  });
  return null;
}
