import { lazy, Suspense, useState } from 'react';
import type { RowSelecting, RowSelection } from '../../../lib/list/row-selection.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../../ui/list/selection-bar.tsx';
import { messagesWord, type Retrying } from './retrying.ts';

const RetryDialog = lazy(() => import('./retry-dialog.tsx'));

interface RetryBarProps {
  selecting: RowSelecting;
  retryingOf(selection: RowSelection): Retrying;
}

/** The selected messages, and what can be done with them together. */
export default function RetryBar({ selecting: { selection, clear, selectAll }, retryingOf }: RetryBarProps) {
  const { isAll, ids } = selection;
  const [chosen, setChosen] = useState<Retrying | null>(null);
  return (
    <>
      <SelectionBar
        words={
          <>
            <strong className="font-semibold">
              {isAll ? 'All failed messages that match' : messagesWord(ids.size)}
            </strong>{' '}
            selected
            {isAll && ids.size > 0 && <span className="text-muted"> · without {messagesWord(ids.size)}</span>}
          </>
        }
        more={
          isAll ? null : (
            <Button look="quiet" className="h-7! px-2!" onClick={selectAll}>
              Select all failed that match
            </Button>
          )
        }
        onClear={clear}
      >
        <Button look="primary" className={IN_SELECTION_BAR} onClick={() => setChosen(retryingOf(selection))}>
          Try again
        </Button>
      </SelectionBar>
      {chosen && (
        <Suspense fallback={null}>
          <RetryDialog
            retrying={chosen}
            onClose={() => setChosen(null)}
            onQueued={(remaining) => {
              setChosen(null);
              if (remaining === 0) clear();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
