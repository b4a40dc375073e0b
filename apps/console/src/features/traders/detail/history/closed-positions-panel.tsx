import type { Trader } from '@copydesk/contract/traders';
import { signOf } from '@copydesk/domain/trading';
import { useQuery } from '@tanstack/react-query';
import History from 'lucide-react/icons/history';
import { type ReactNode, useCallback } from 'react';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { formatPnl } from '../../../../lib/format/figures.ts';
import { useLastPage } from '../../../../lib/list/use-last-page.ts';
import { useBackgroundExport } from '../../../../lib/use-background-export.ts';
import { Loading } from '../../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import { ExportButton } from '../../../../ui/form/filters/export-button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { Pager } from '../../../../ui/table/pager.tsx';
import type { Arrangement } from '../../../../ui/table/plain-table/arranged-table.tsx';
import { PlainTable } from '../../../../ui/table/plain-table/plain-table.tsx';
import { SortSelect } from '../../../../ui/table/sort-select.tsx';
import { type DetailSearch, HISTORY_COLUMNS, historyList } from '../detail-search.ts';
import { NotCounted } from '../not-counted.tsx';
import { closedPositionsQuery, exportHistory, wireFilters } from './closed-positions-query.ts';
import type { HistoryFilters } from './filters-from-search.ts';
import { historyColumns } from './history-columns.tsx';
import { HistoryFilterBar } from './history-filters.tsx';

const SORT_CHOICES = [
  { id: 'closed_at', label: 'Date' },
  { id: 'symbol', label: 'Symbol' },
  { id: 'closed_pnl', label: 'PnL' },
] as const;

interface ClosedPositionsPanelProps {
  trader: Trader;
  filters: HistoryFilters;
  onChange(change: DetailSearch): void;
  /** Beside the order. */
  views: ReactNode;
  arrangement: Arrangement;
}

export function ClosedPositionsPanel(props: ClosedPositionsPanelProps) {
  const { trader, filters, onChange, views, arrangement } = props;
  const history = useQuery(closedPositionsQuery(trader.id, filters));
  const { data, error } = history;
  const { symbol, account, from, to, sort } = filters;
  const isNarrowed = Boolean(symbol || account || from || to);
  const rows = data?.data ?? [];
  const background = useBackgroundExport({
    list: 'closed_positions',
    params: { id: trader.id },
    query: wireFilters(filters),
    total: history.isPlaceholderData ? undefined : data?.meta.total,
  });
  // While no profit is known, a sum of 0 would be a false figure.
  const netProfit =
    data && data.meta.unknown_profit < Math.max(1, data.meta.total) ? data.meta.net_profit : null;
  const toPage = useCallback((to: number) => onChange({ page: to > 1 ? String(to) : undefined }), [onChange]);
  useLastPage(
    {
      page: filters.page,
      rows: filters.rows,
      total: history.isPlaceholderData ? undefined : data?.meta.total,
    },
    toPage,
  );
  const setSort = (column: string, dir: 'asc' | 'desc') =>
    onChange(
      historyList.sortParams({
        column: HISTORY_COLUMNS.find((name) => name === column) ?? 'closed_at',
        direction: dir,
      }),
    );
  return (
    <Panel
      title="Position History"
      count={data?.meta.total}
      flush
      note={
        data && (
          <span>
            Total Net Profit{' '}
            <span className="text-sm font-semibold">
              <SignedFigure text={formatPnl(netProfit)} sign={signOf(netProfit)} />
            </span>
            <NotCounted positions={data.meta.unknown_profit} />
          </span>
        )
      }
      actions={
        <>
          {(isNarrowed || rows.length > 0) && views}
          {rows.length > 0 && (
            <SortSelect
              columns={SORT_CHOICES}
              sort={sort}
              className="h-7 text-xs"
              onChange={({ column, direction }) => setSort(column, direction)}
            />
          )}
          {rows.length > 0 && (
            <ExportButton
              className="h-7!"
              onExport={() => exportHistory(trader.id, filters)}
              background={background}
            />
          )}
        </>
      }
      filters={
        (isNarrowed || rows.length > 0) && (
          <HistoryFilterBar filters={filters} accounts={trader.exchanges ?? []} onChange={onChange} />
        )
      }
    >
      <QueryState
        small
        error={
          error && !data
            ? { title: 'The position history could not be loaded', message: messageOf(error) }
            : null
        }
        onRetry={() => void history.refetch()}
        isLoading={!data}
        loading={<Loading text="Loading position history..." />}
        isEmpty={data?.meta.total === 0}
        empty={
          <MessagePanel
            icon={History}
            level={3}
            small
            title={isNarrowed ? 'No positions found' : 'No position history'}
            text={isNarrowed ? 'Try adjusting your filters' : "This trader hasn't closed any positions yet"}
          />
        }
      >
        <PlainTable
          label="Position History"
          columns={historyColumns}
          rows={rows}
          keyOf={(position) => position.id}
          sort={sort}
          onSort={({ column, direction }) => setSort(column, direction)}
          isStale={history.isPlaceholderData}
          arrangement={arrangement}
        />
        {rows.some((position) => !position.fees_included) && (
          <p className="border-t border-line px-4 py-1.5 text-xs text-muted">
            * before trading fees, which the exchange does not report
          </p>
        )}
        <Pager
          label="Pages of positions"
          page={filters.page}
          pageRows={filters.rows}
          total={data?.meta.total ?? 0}
          onChange={toPage}
          sizes={{ options: historyList.sizes, onChange: (rows) => onChange(historyList.rowsParam(rows)) }}
        />
      </QueryState>
    </Panel>
  );
}
