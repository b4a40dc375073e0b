import { lazy, type ReactNode, Suspense } from 'react';
import { type RowSelecting, type RowSelection, useRowSelection } from '../../../lib/list/row-selection.ts';
import type { Retrying } from './retrying.ts';

const RetryBar = lazy(() => import('./retry-bar.tsx'));

/**
 * The selection of a list of messages, and what is done with it.
 * @param filters of the list: others begin another selection
 * @param isOffered whether the reader may send messages again, and the tab has failed ones
 */
export function useRetry(
  filters: object,
  isOffered: boolean,
  retryingOf: (selection: RowSelection) => Retrying,
): { selecting: RowSelecting | null; acts: ReactNode } {
  const selecting = useRowSelection(JSON.stringify(filters));
  const { isAll, ids } = selecting.selection;
  if (!isOffered) return { selecting: null, acts: null };
  return {
    selecting,
    acts: (isAll || ids.size > 0) && (
      <Suspense fallback={null}>
        <RetryBar selecting={selecting} retryingOf={retryingOf} />
      </Suspense>
    ),
  };
}
