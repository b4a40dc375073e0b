import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../../../lib/store.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { payoutsOfQuery } from '../payouts-queries.ts';
import { runQuery } from '../runs/runs-queries.ts';
import {
  type Followed,
  followedDistributions,
  followedRuns,
  unfollowDistribution,
  unfollowRun,
} from './followed-distributions.ts';
import { outcomeOf, outcomeOfRun } from './outcome.ts';

/** Announces the end of each distribution and payout run ordered or approved from this page, on every screen. */
export default function FollowedPayouts() {
  const runs = useStore(followedRuns);
  return (
    <>
      {useStore(followedDistributions).map((followed) => (
        <FollowedDistribution key={followed.distributionId} followed={followed} />
      ))}
      {runs.map((id) => (
        <FollowedRun key={id} id={id} />
      ))}
    </>
  );
}

function FollowedRun({ id }: { id: string }) {
  const { data } = useQuery(runQuery(id));
  const outcome = data ? outcomeOfRun(data.run) : null;
  useEffect(() => {
    if (outcome && unfollowRun(id)) toast(outcome);
  });
  return null;
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
