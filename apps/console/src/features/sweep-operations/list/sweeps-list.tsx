import { formatCount } from '@copydesk/domain';
import { clsx } from 'clsx';
import FileSearch from 'lucide-react/icons/file-search';
import { useCallback, useMemo, useState } from 'react';
import { nextSort } from '../../../lib/sorting.ts';
import { mostDecimals } from '../../../ui/aligned-amount.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table/data-table.tsx';
import { TableSkeleton } from '../../../ui/data-table/table-skeleton.tsx';
import { MessagePanel } from '../../../ui/message-panel.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { PayoutActDialog } from '../acts/act-dialogs.tsx';
import type { ChosenAct } from '../acts/payout-menu.tsx';
import { narrowingOf } from '../match-on-page.ts';
import type { SweepOperation } from '../sweeps-queries.ts';
import {
  rowsParam,
  SORT_COLUMNS,
  type SweepFilters,
  type SweepsSearch,
  sortParams,
} from '../sweeps-search.ts';
import { CARD_PX, sweepCard } from './sweep-card.tsx';
import { sweepColumns } from './sweep-columns.tsx';
import { SweepsPager } from './sweeps-pager.tsx';
import { useRoom } from './use-room.ts';
import type { useSweeps } from './use-sweeps.ts';

interface SweepsListProps {
  list: ReturnType<typeof useSweeps>;
  filters: SweepFilters;
  /** What the rows of the page are searched for. */
  find: string | undefined;
  openId: string | undefined;
  /** Super admins may do something about a payout. */
  isSuper: boolean;
  explorerUrl: string;
  onChange(change: SweepsSearch, how?: { replace: boolean }): void;
}

const ignore = () => {};

/** A page of payouts. A row opens its detail beside it. */
export function SweepsList({ list, filters, find, openId, isSuper, explorerUrl, onChange }: SweepsListProps) {
  const { rows, total, isStale, problem } = list;
  const room = useRoom(openId !== undefined);
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  // What is open beside the list offers it there.
  const onAct = isSuper && openId === undefined ? setChosen : null;
  const places = useMemo(() => mostDecimals(rows.map(({ total_amount }) => total_amount)), [rows]);
  const columns = useMemo(
    () => sweepColumns(explorerUrl, { room, places, onAct }),
    [explorerUrl, room, places, onAct],
  );
  const card = useMemo(
    () => ({ height: CARD_PX, render: sweepCard(explorerUrl, onAct) }),
    [explorerUrl, onAct],
  );
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const { sort } = filters;
  const ofAll = find ? narrowingOf(find) : null;
  const open = (row: SweepOperation) => onChange({ operation: row.id }, { replace: openId !== undefined });
  return (
    <div
      className={clsx(
        'flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden border-line bg-surface',
        'max-sm:-mx-4 max-sm:border-t sm:rounded-lg sm:border',
      )}
    >
      <QueryState
        error={problem}
        // What failed may be anything, the sign-in included: all of it is loaded anew.
        onRetry={() => window.location.reload()}
        isLoading={total === null}
        loading={
          <>
            <TableSkeleton columns={columns} cardHeight={CARD_PX} rows={filters.rows} compact />
            {/* The place of the pager. */}
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
            compact
            currentOf={(row) => row.id === openId}
            rowFailure="Error displaying operation data"
            resetKey={JSON.stringify(filters)}
            isStale={isStale}
          />
        )}
        <SweepsPager
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
        </SweepsPager>
      </QueryState>
      {chosen && <PayoutActDialog {...chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}
