import { clsx } from 'clsx';
import FileSearch from 'lucide-react/icons/file-search';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { isRowSelected, useRowSelection } from '../../../../lib/list/row-selection.ts';
import { nextSort } from '../../../../lib/url/sorting.ts';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { AlignedMoney, mostDecimals } from '../../../../ui/figures/money.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { useMedia } from '../../../../ui/layout/use-media.ts';
import { DataTable, type DataTableProps } from '../../../../ui/table/data-table/data-table.tsx';
import { RowBoundary } from '../../../../ui/table/data-table/row-boundary.tsx';
import { TableSkeleton } from '../../../../ui/table/data-table/table-skeleton.tsx';
import { PayoutActDialog } from '../acts/act-dialogs.tsx';
import type { ChosenAct } from '../acts/payout-menu.tsx';
import type { Payout } from '../history-queries.ts';
import {
  type PayoutFilters,
  type PayoutsSearch,
  rowsParam,
  SORT_COLUMNS,
  sortParams,
} from '../history-search.ts';
import { narrowingOf } from '../match-on-page.ts';
import { CARD_PX, payoutCard } from './payout-card.tsx';
import { payoutColumns, type Room, selectableName } from './payout-columns.tsx';
import { PayoutsPager } from './payouts-pager.tsx';
import type { usePayouts } from './use-payouts.ts';

const guardRow = (row: Payout | undefined, content: ReactNode) => (
  <RowBoundary row={row} text="Error displaying operation data">
    {content}
  </RowBoundary>
);

const RetryBar = lazy(() => import('../acts/retry-bar.tsx'));

interface PayoutsListProps {
  list: ReturnType<typeof usePayouts>;
  arrangement: DataTableProps<Payout, string>['arrangement'];
  filters: PayoutFilters;
  /** Search within the rows of the page. */
  find: string | undefined;
  openId: string | undefined;
  /** Super admins may act on a payout. */
  isSuper: boolean;
  explorerUrl: string;
  onChange(change: PayoutsSearch, how?: { replace: boolean }): void;
}

const ignore = () => {};

/** A page of payouts. A row opens its panel. */
export function PayoutsList({
  list,
  arrangement,
  filters,
  find,
  openId,
  isSuper,
  explorerUrl,
  onChange,
}: PayoutsListProps) {
  const { rows, total, totalAmount, isStale, problem } = list;
  const room = useRoom(openId !== undefined);
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  // The open panel has the menu.
  const onAct = isSuper && openId === undefined ? setChosen : null;
  const { rows: _size, page: _page, sort: _sort, ...narrowing } = filters;
  const selecting = useRowSelection(JSON.stringify(narrowing));
  const picking = isSuper ? selecting : null;
  // A search of the page has no sum of its own.
  const sum = find ? null : totalAmount;
  const places = useMemo(
    () => mostDecimals([...rows.map(({ total_amount }) => total_amount), ...(sum === null ? [] : [sum])]),
    [rows, sum],
  );
  const columns = useMemo(
    () =>
      payoutColumns(explorerUrl, {
        room,
        places,
        onAct,
        selecting: picking,
        all: find ? null : 'Select all failed payouts',
      }),
    [explorerUrl, room, places, onAct, picking, find],
  );
  const card = useMemo(
    () => ({ height: CARD_PX, render: payoutCard(explorerUrl, onAct, picking) }),
    [explorerUrl, onAct, picking],
  );
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const { sort } = filters;
  const ofAll = find ? narrowingOf(find) : null;
  const open = (row: Payout) => onChange({ payout: row.id }, { replace: openId !== undefined });
  return (
    <div
      className={clsx(
        'relative flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden border-line bg-surface',
        'max-sm:-mx-4 max-sm:border-t sm:rounded-lg sm:border',
      )}
    >
      <QueryState
        error={problem}
        // Any part may have failed, the sign-in included, so the whole page reloads.
        onRetry={() => window.location.reload()}
        isLoading={total === null}
        loading={
          <>
            <TableSkeleton columns={columns} cardHeight={CARD_PX} rows={filters.rows} compact />
            {/* Space for the pager. */}
            <div className="h-10 shrink-0" />
          </>
        }
        isEmpty={false}
        empty={null}
      >
        {rows.length === 0 ? (
          <div className="min-h-0 flex-1">
            <MessagePanel
              icon={FileSearch}
              title="No sweep operations found."
              text={
                find
                  ? 'Nothing on this page matches the search'
                  : 'Payouts appear here once shares of paid invoices are on their way'
              }
            />
          </div>
        ) : (
          <DataTable
            label="Payouts"
            columns={columns}
            arrangement={arrangement}
            rowCount={rows.length}
            rowAt={rowAt}
            sort={sort}
            onSort={(column) => {
              const sortable = SORT_COLUMNS.find((name) => name === column);
              if (sortable) onChange(sortParams(nextSort(sort, sortable)));
            }}
            onOpen={open}
            onRangeChange={ignore}
            card={card}
            sums={
              sum === null
                ? undefined
                : {
                    label: 'All that match',
                    cells: { amount: <AlignedMoney amount={sum} places={places} isTotal /> },
                  }
            }
            compact
            currentOf={(row) => row.id === openId}
            {...(picking && {
              selectedOf: (row: Payout) =>
                selectableName(row) !== null && isRowSelected(picking.selection, row.id),
              onRowKey: (row: Payout, { code }: { code: string }) => {
                if (code !== 'KeyX') return false;
                if (selectableName(row) !== null) picking.toggle(row.id);
                return true;
              },
            })}
            rowGuard={guardRow}
            resetKey={JSON.stringify(filters)}
            isStale={isStale}
          />
        )}
        {picking && (picking.selection.isAll || picking.selection.ids.size > 0) && (
          <Suspense fallback={null}>
            <RetryBar selecting={picking} rows={rows} narrowing={narrowing} isSearched={find !== undefined} />
          </Suspense>
        )}
        <PayoutsPager
          page={filters.page}
          rows={filters.rows}
          total={total ?? 0}
          onPage={(page) => onChange({ page: page > 1 ? String(page) : undefined })}
          onRows={(count) => onChange(rowsParam(count))}
        >
          {ofAll && (
            <Button
              look="quiet"
              className="h-7! px-2! text-xs!"
              onClick={() => onChange({ ...ofAll, find: undefined, page: undefined })}
            >
              Search all {formatCount(total ?? 0)} {total === 1 ? 'payout' : 'payouts'}
            </Button>
          )}
        </PayoutsPager>
      </QueryState>
      {chosen && <PayoutActDialog {...chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}

/** How wide the columns are, by the width of the window and the panel beside the list. */
function useRoom(isPanelOpen: boolean): Room {
  const isWide = useMedia('(min-width: 1440px)');
  return isWide && !isPanelOpen ? 'much' : 'little';
}
