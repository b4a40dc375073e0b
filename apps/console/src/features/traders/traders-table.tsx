import { useMemo } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
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
import type { Trader } from './traders-queries.ts';
import { SORT_COLUMNS, type TradersSort } from './traders-search.ts';
import type { useTraderRows } from './use-trader-rows.ts';

interface TradersTableProps {
  rows: ReturnType<typeof useTraderRows>;
  sort: TradersSort;
  communityNames: CommunityNames;
  arrangement: DataTableProps<Trader, TraderColumn>['arrangement'];
  onSort(sort: TradersSort): void;
  onOpen(traderId: string): void;
}

/** The scroll offset of each list, restored on the way back from a trader. */
const offsets = new Map<string, number>();

export function TradersTable({ rows, sort, communityNames, arrangement, onSort, onOpen }: TradersTableProps) {
  const columns = useMemo(() => traderColumns(communityNames), [communityNames]);
  const card = useMemo(
    () => ({ height: TRADER_CARD_PX, render: traderCard(communityNames) }),
    [communityNames],
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
        card={card}
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
