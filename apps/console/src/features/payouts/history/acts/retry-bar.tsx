import { sumDecimals } from '@copydesk/domain/money';
import { useState } from 'react';
import { usdt } from '../../../../lib/format/usdt.ts';
import type { RowSelecting } from '../../../../lib/list/row-selection.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../../../ui/list/selection-bar.tsx';
import { payoutsWord } from '../../payout-texts.ts';
import type { Payout } from '../history-queries.ts';
import { type PayoutNarrowing, wireNarrowing } from '../history-search.ts';
import { RetryDialog, type RetrySelection } from './retry-dialog.tsx';

interface RetryBarProps {
  selecting: RowSelecting;
  /** The rows of this page. */
  rows: readonly Payout[];
  narrowing: PayoutNarrowing;
  /** The rows are searched in the browser, so the server cannot act on all that match. */
  isSearched: boolean;
}

/** The selected failed payouts, and what can be done with them together. */
export default function RetryBar({ selecting, rows, narrowing, isSearched }: RetryBarProps) {
  const { selection, clear, selectAll } = selecting;
  const { isAll, ids } = selection;
  const [chosen, setChosen] = useState<RetrySelection | null>(null);
  const named = rows.filter(({ id }) => ids.has(id));
  const count = <strong className="font-semibold">{payoutsWord(ids.size)}</strong>;
  return (
    <>
      <SelectionBar
        words={
          isAll ? (
            <>
              <strong className="font-semibold">All failed payouts that match</strong> selected
              {ids.size > 0 && <span className="text-muted">{` · without ${payoutsWord(ids.size)}`}</span>}
            </>
          ) : (
            <>
              {count} selected
              {named.length === ids.size && (
                <span className="text-muted">{` · ${usdt(sumDecimals(named.map((row) => row.total_amount)))}`}</span>
              )}
            </>
          )
        }
        more={
          !isAll && !isSearched ? (
            <Button look="quiet" className="h-7! px-2!" onClick={selectAll}>
              Select all failed that match
            </Button>
          ) : null
        }
        onClear={clear}
      >
        <Button
          look="primary"
          className={IN_SELECTION_BAR}
          onClick={() => setChosen(selectionOf(selection, narrowing))}
        >
          Retry
        </Button>
      </SelectionBar>
      {chosen && (
        <RetryDialog
          selection={chosen}
          onClose={() => setChosen(null)}
          onOrdered={() => {
            setChosen(null);
            clear();
          }}
        />
      )}
    </>
  );
}

function selectionOf({ isAll, ids }: RowSelecting['selection'], narrowing: PayoutNarrowing): RetrySelection {
  if (!isAll) return { payout_ids: [...ids] };
  const { status: _failed, ...filters } = wireNarrowing(narrowing);
  return { matching: { filters, except: [...ids] } };
}
