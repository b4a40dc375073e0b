import { useQuery } from '@tanstack/react-query';
import OctagonX from 'lucide-react/icons/octagon-x';
import { lazy, Suspense } from 'react';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { stopQuery } from './stop-query.ts';

// The banner belongs to every screen, and is almost never there.
const StopDetails = lazy(() => import('./stop-details.tsx'));

/** Above every screen while all payments are stopped. Super admins see why, and lift the stop from here. */
export function StopBanner({ userId }: { userId: string }) {
  const { data } = useQuery(stopQuery);
  if (!data || data.stopped_since === null) return null;
  const { stop } = data;
  const banner = <Notice tone="negative" icon={OctagonX} title="Payments are stopped" />;
  if (stop === null) return banner;
  return (
    <Suspense fallback={banner}>
      <StopDetails stop={stop} userId={userId} />
    </Suspense>
  );
}
