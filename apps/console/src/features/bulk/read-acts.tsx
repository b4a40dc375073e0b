import { lazy, Suspense, useState } from 'react';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import { Button } from '../../ui/form/button.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../ui/list/selection-bar.tsx';
import type { ChosenAct } from './bulk-queries.ts';
import { tradersWord } from './bulk-texts.ts';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

/** Traders that were selected by their accounts: all accounts of each are read ahead of others. */
export default function ReadActs({ selection: { ids }, clear }: RowSelecting) {
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  return (
    <>
      <SelectionBar
        words={
          <>
            <strong className="font-semibold">{tradersWord(ids.size)}</strong> selected
            <span className="text-muted max-sm:hidden"> · with all their accounts</span>
          </>
        }
        onClear={clear}
      >
        <Button
          look="primary"
          className={IN_SELECTION_BAR}
          onClick={() => setChosen({ act: 'read', selection: { trader_ids: [...ids] } })}
        >
          Read again
        </Button>
      </SelectionBar>
      {chosen && (
        <Suspense fallback={null}>
          <BulkDialog
            chosen={chosen}
            onClose={() => setChosen(null)}
            onOrdered={() => {
              setChosen(null);
              clear();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
