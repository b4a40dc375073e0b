import { useMemo } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatWholeUsd } from '../../lib/format/numbers.ts';
import { isRowSelected, type RowSelecting } from '../../lib/list/row-selection.ts';
import { nextSort } from '../../lib/url/sorting.ts';
import { Button } from '../../ui/form/button.tsx';
import { DataTable, type DataTableProps } from '../../ui/table/data-table/data-table.tsx';
import {
  type CommunityNames,
  TRADER_CARD_PX,
  type TraderColumn,
  traderCard,
  traderColumns,
} from './trader-columns.tsx';
import type { Trader, TradersPage } from './traders-queries.ts';
import { SORT_COLUMNS, type TradersSort } from './traders-search.ts';
import type { useTraderRows } from './use-trader-rows.ts';

interface TradersTableProps {
  rows: ReturnType<typeof useTraderRows>;
  sort: TradersSort;
  communityNames: CommunityNames;
  /** Null: the caller can do nothing with a selection. */
  selecting: RowSelecting | null;
  arrangement: DataTableProps<Trader, TraderColumn>['arrangement'];
  onSort(sort: TradersSort): void;
  onOpen(traderId: string): void;
}

/** The sum over the traders in the list. The head of the screen has that of all traders. */
function sumOf(meta: TradersPage['meta'] | null): DataTableProps<Trader, TraderColumn>['sums'] {
  const sum = meta?.filtered_aum;
  return sum === meta?.total_aum
    ? undefined
    : { label: 'All that match', cells: { aum: formatWholeUsd(sum) } };
}

/** The scroll offset of each list, restored on the way back from a trader. */
const offsets = new Map<string, number>();

export function TradersTable(props: TradersTableProps) {
  const { rows, sort, communityNames, selecting, arrangement, onSort, onOpen } = props;
  const columns = useMemo(() => traderColumns(communityNames, selecting), [communityNames, selecting]);
  const card = useMemo(
    () => ({ height: TRADER_CARD_PX, render: traderCard(communityNames, selecting) }),
    [communityNames, selecting],
  );
  return (
    <>
      <DataTable
        label="Traders"
        columns={columns}
        arrangement={arrangement}
        rowCount={rows.meta?.total ?? 0}
        rowAt={rows.rowAt}
        sort={sort}
        onSort={(column) => {
          const sortable = SORT_COLUMNS.find((name) => name === column);
          if (sortable) onSort(nextSort(sort, sortable));
        }}
        onOpen={(trader) => onOpen(trader.id)}
        onRangeChange={rows.onRangeChange}
        {...(selecting && {
          selectedOf: ({ id }: Trader) => isRowSelected(selecting.selection, id),
          onRowKey: (trader: Trader, { code }: { code: string }) => {
            if (code === 'KeyX') selecting.toggle(trader.id);
            return code === 'KeyX';
          },
        })}
        card={card}
        sums={sumOf(rows.meta)}
        resetKey={rows.key}
        initialOffset={offsets.get(rows.key)}
        onScroll={(offset) => offsets.set(rows.key, offset)}
        isStale={rows.isStale}
      />
      {rows.error && (
        <div role="alert" className="flex items-center justify-between gap-4 border-t border-line px-4 py-2">
          <span className="text-negative">Some rows could not be loaded: {messageOf(rows.error)}</span>
          <Button onClick={rows.retry}>Retry</Button>
        </div>
      )}
    </>
  );
}
