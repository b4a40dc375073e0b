import type { BulkAct } from '@copydesk/domain/bulk';
import { TRADER_STATUSES, type TraderStatus } from '@copydesk/domain/traders';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { lazy, Suspense, useState } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import { countSelected, type RowSelecting } from '../../lib/list/row-selection.ts';
import { useSelectionExport } from '../../lib/use-background-export.ts';
import { Button } from '../../ui/form/button.tsx';
import { ExportAct } from '../../ui/form/filters/export-button.tsx';
import { Menu, MenuItem } from '../../ui/form/menu.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../ui/list/selection-bar.tsx';
import { type ChosenAct, wireSelection } from './bulk-queries.ts';
import { tradersWord } from './bulk-texts.ts';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'));

interface TraderActsProps {
  selecting: RowSelecting;
  /** How many traders match. */
  total: number;
  /** The filters of the list, as its own export call takes them. */
  query: Record<string, string | undefined>;
  isSuper: boolean;
  labels: Record<TraderStatus, string>;
}

/** The selected traders, and what can be done with all of them at once. */
export default function TraderActs({ selecting, total, query, isSuper, labels }: TraderActsProps) {
  const { selection, clear, selectAll } = selecting;
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  const count = countSelected(selection, total);
  const { orderBy, orderDir } = query;
  const beginExport = useSelectionExport({
    list: 'traders',
    // Named traders are exported whatever the filters say of them by then.
    query: (selection.isAll ? query : { orderBy, orderDir }) as object,
    selected: selection.isAll ? { except: [...selection.ids] } : { ids: [...selection.ids] },
  });
  const choose = (act: BulkAct, status?: TraderStatus) => () =>
    setChosen({ act, ...(status && { status }), selection: wireSelection(selection, 'traders', query) });
  return (
    <>
      <SelectionBar
        words={
          <>
            <strong className="font-semibold">{tradersWord(count)}</strong> selected
            {selection.isAll && selection.ids.size === 0 && (
              <span className="text-muted"> · all that match</span>
            )}
          </>
        }
        more={
          !selection.isAll && total > count ? (
            <Button look="quiet" className="h-7! px-2!" onClick={selectAll}>
              Select all {formatCount(total)} that match
            </Button>
          ) : null
        }
        onClear={clear}
      >
        {isSuper && (
          <Button look="primary" className={IN_SELECTION_BAR} onClick={choose('notify')}>
            Notify
          </Button>
        )}
        <Button className={IN_SELECTION_BAR} onClick={choose('read')}>
          Read accounts
        </Button>
        <Menu
          label="Set status"
          trigger={
            <Button className={IN_SELECTION_BAR}>
              Set status
              <ChevronDown className="size-3.5" aria-hidden="true" />
            </Button>
          }
        >
          {TRADER_STATUSES.map((status) => (
            <MenuItem key={status} text={labels[status]} onSelect={choose('status', status)} />
          ))}
        </Menu>
        <ExportAct begin={beginExport} words="Export selected" className={IN_SELECTION_BAR} />
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
