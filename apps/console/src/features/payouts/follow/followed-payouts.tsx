import { lazy, Suspense } from 'react';
import { useStore } from '../../../lib/store.ts';
import { followedDistributions } from './followed-distributions.ts';

// What sums payouts is loaded with the first order, not with the first screen.
const FollowedDistribution = lazy(() => import('./followed-distribution.tsx'));

/** Announces the end of each distribution ordered or approved from this page, on every screen. */
export function FollowedPayouts() {
  const all = useStore(followedDistributions);
  return (
    <Suspense>
      {all.map((followed) => (
        <FollowedDistribution key={followed.distributionId} followed={followed} />
      ))}
    </Suspense>
  );
}
