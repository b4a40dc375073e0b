import type { BulkAct } from '@copydesk/domain/bulk';
import { lazy, Suspense, useState } from 'react';
import type { RowSelecting } from '../../lib/list/row-selection.ts';
import { Button } from '../../ui/form/button.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../ui/list/selection-bar.tsx';
import { type ChosenAct, wireSelection } from './bulk-queries.ts';
import { tradersWord } from './bulk-texts.ts';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

interface ReadActsProps {
  selecting: RowSelecting;
  /** The filters of the list of accounts, as its call takes them. */
  query: Record<string, string | undefined>;
}

/** Traders that were selected by their accounts: what is done about all accounts of each. */
export default function ReadActs({ selecting: { selection, clear }, query }: ReadActsProps) {
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  const choose = (act: BulkAct) => () =>
    setChosen({ act, selection: wireSelection(selection, 'accounts', query) });
  const { isAll, ids } = selection;
  return (
    <>
      <SelectionBar
        words={
          <>
            <strong className="font-semibold">{isAll ? 'All that match' : tradersWord(ids.size)}</strong>{' '}
            selected
            {isAll && ids.size > 0 && <span className="text-muted"> · without {tradersWord(ids.size)}</span>}
            <span className="text-muted max-sm:hidden"> · with all their accounts</span>
          </>
        }
        onClear={clear}
      >
        <Button look="primary" className={IN_SELECTION_BAR} onClick={choose('read')}>
          Read again
        </Button>
        <Button className={IN_SELECTION_BAR} onClick={choose('ask_key')}>
          Ask for new keys
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
