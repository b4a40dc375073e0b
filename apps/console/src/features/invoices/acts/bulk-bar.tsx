import { sumDecimals } from '@copydesk/domain/money';
import { formatCount, formatWholeUsd } from '../../../lib/format/numbers.ts';
import { askedUsdt } from '../../../lib/format/usdt.ts';
import { useSelectionExport } from '../../../lib/use-background-export.ts';
import { Button } from '../../../ui/form/button.tsx';
import { ExportAct } from '../../../ui/form/filters/export-button.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../../ui/list/selection-bar.tsx';
import { exportQuery, groupedQuery } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { strangersIn } from '../list/unknown-group.ts';
import { type ActKind, type Chosen, countOf } from './act.ts';
import type { ActHandlers } from './act-handlers.ts';
import { invoicesWord } from './act-texts.ts';

interface BulkBarProps extends Pick<ActHandlers, 'onAct'> {
  chosen: Chosen;
  filters: InvoiceFilters;
  isArchive: boolean;
  /** How many groups of the tab match. */
  total: number;
  onSelectPage(): void;
  onSelectAll(): void;
  onNotify(): void;
  onClear(): void;
}

const groupsWord = (count: number) => `${formatCount(count)} ${count === 1 ? 'group' : 'groups'}`;

/** The selected invoices and what can be done with them. */
export function BulkBar(props: BulkBarProps) {
  const {
    chosen,
    filters,
    isArchive,
    total: matching,
    onAct,
    onSelectPage,
    onSelectAll,
    onNotify,
    onClear,
  } = props;
  const { allBut } = chosen;
  const total = sumDecimals([
    ...chosen.groups.map((group) => group.total_amount),
    ...chosen.invoices.map((invoice) => invoice.amount),
  ]);
  const groups = chosen.groups.length;
  const areStrangers = strangersIn(chosen).size > 1;
  const beginExport = useSelectionExport({
    list: 'invoices',
    query: allBut ? exportQuery(filters) : groupedQuery(filters),
    selected: allBut
      ? { except: allBut.map(({ traderId }) => traderId) }
      : {
          ids: chosen.invoices.map(({ id }) => id),
          trader_ids: chosen.groups.flatMap(({ trader }) => trader?.id ?? []),
        },
  });
  const act = (kind: ActKind) => () => !areStrangers && onAct({ kind, chosen });
  return (
    <SelectionBar
      words={
        allBut ? (
          <>
            <strong className="font-semibold">All groups that match</strong> selected
            {allBut.length > 0 && (
              <span className="text-muted">{` · without ${groupsWord(allBut.length)}`}</span>
            )}
          </>
        ) : (
          <>
            <strong className="font-semibold">{invoicesWord(countOf(chosen))}</strong> selected
            <span className="text-muted">
              {groups > 0 && ` · ${groupsWord(groups)}`}
              <span title={askedUsdt(total)}>{` · ${formatWholeUsd(total)}`}</span>
            </span>
            {areStrangers && (
              <span className="text-caution"> · One trader without a reference number at a time</span>
            )}
          </>
        )
      }
      more={
        allBut === null && (
          <>
            <Button look="quiet" className="ms-auto h-7! px-2! md:hidden" onClick={onSelectPage}>
              Select page
            </Button>
            {matching > groups && (
              <Button look="quiet" className="h-7! px-2!" onClick={onSelectAll}>
                Select all that match
              </Button>
            )}
          </>
        )
      }
      onClear={onClear}
    >
      {!isArchive && (
        <Button look="primary" className={IN_SELECTION_BAR} onClick={onNotify}>
          Notify
        </Button>
      )}
      <Button className={IN_SELECTION_BAR} aria-disabled={areStrangers} onClick={act('pay')}>
        Mark as paid
      </Button>
      <Button className={IN_SELECTION_BAR} aria-disabled={areStrangers} onClick={act('unpay')}>
        Mark as unpaid
      </Button>
      <Button
        className={IN_SELECTION_BAR}
        aria-disabled={areStrangers}
        onClick={act(isArchive ? 'unarchive' : 'archive')}
      >
        {isArchive ? 'Restore' : 'Archive'}
      </Button>
      <ExportAct begin={beginExport} words="Export selected" className={IN_SELECTION_BAR} />
    </SelectionBar>
  );
}
