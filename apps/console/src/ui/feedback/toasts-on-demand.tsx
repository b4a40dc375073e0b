import { lazy, Suspense, useState } from 'react';
import { useStore } from '../../lib/store.ts';
import { toasts } from './toast-store.ts';

const Toasts = lazy(() => import('./toasts.tsx'));

/** The toasts' region loads with the first toast: most visits show none. */
export function ToastsOnDemand() {
  const [wanted, setWanted] = useState(false);
  const any = useStore(toasts).length > 0;
  if (any && !wanted) setWanted(true);
  return wanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
